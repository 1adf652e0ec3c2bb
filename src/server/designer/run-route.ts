import { randomUUID } from "node:crypto";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { AppError, inputError } from "../../base/errors.ts";
import { loadWorkflow } from "../../workflow/load.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { DesignerApiParts } from "./api-parts.ts";
import { NewRun, Refusal, RunKey, SessionPath, StartedRun } from "./api-schemas.ts";

/** What a conversation came to is run on a repository. */
export const runRoute: FastifyPluginAsyncZod<DesignerApiParts> = async (
  server,
  { states, designs, userId, runs },
) => {
  const closing = new AbortController();
  server.addHook("preClose", async () =>
    closing.abort(new AppError("the server stops", { code: "server-stops", remedy: "retry" })),
  );

  const completed = async (sessionId: string): Promise<Workflow> => {
    const { stage, workflow_id } = await states.getState(sessionId, userId);
    const design = workflow_id === "" ? undefined : await designs.load(workflow_id, userId);
    if (stage !== "completed" || design === undefined) throw notCompleted(sessionId);
    return loadWorkflow(design.source, { file: `${design.name}.yaml` });
  };

  server.post(
    "/workflow/:session_id/run",
    {
      schema: {
        ...{ tags: ["workflows"], summary: "Run the workflow on a repository" },
        description:
          "As `/run` does in an issue, in the name of the server's operator, whom the token stands for: nobody on the forge is asked whether they may write.",
        ...{ params: SessionPath, headers: RunKey, body: NewRun },
        response: {
          202: StartedRun,
          400: Refusal,
          403: Refusal.describe("The bot may not work there, by its configuration or by the forge's word."),
          404: Refusal.describe(
            "There is no such session of yours, or the bot sees no such repository or issue.",
          ),
          409: Refusal.describe(
            "The workflow is not completed, or work is under way on the issue, or it is closed.",
          ),
          422: Refusal.describe("The workflow does not fit, or the repository's configuration is wrong."),
          429: Refusal.describe("As much is under way, or was begun today, as one person may have."),
        },
      },
    },
    async ({ params: { session_id }, headers, body: { input, ...where } }, reply) => {
      const workflow = await completed(session_id);
      const key = `run-${session_id}-${headers["idempotency-key"] ?? randomUUID()}`;
      const { id, url } = await runs.start({ ...where, note: input, workflow, key, signal: closing.signal });
      return reply.code(202).send({ thread_id: id, url });
    },
  );
};

const notCompleted = (id: string): AppError =>
  inputError(
    "session-not-completed",
    `the session ${id} has no finished workflow`,
    "Go on with the conversation until it is completed.",
  );
