import type { ThreadContext } from "../../agents/adapter.ts";
import { inputError } from "../../base/errors.ts";
import type { AgentSession } from "../../thread/engine.ts";
import { loadWorkflow } from "../../workflow/load.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { turnOf } from "./turn-output.ts";

type Proposing = { context: ThreadContext; session: AgentSession; workspace: Workspace };

/**
 * Puts the file that the conversation has come to into the workspace, and says what a pull request says of it. Throws
 * `nothing-designed` (fix-input) where the step before has made none.
 */
export const proposal = async ({
  context: { steps },
  session: { nodes },
  workspace,
}: Proposing): Promise<{ title: string; body: string }> => {
  const made = turnOf(steps.at(-1)?.output);
  const [content] = made?.content === undefined ? [] : await nodes.find(made.content);
  if (made?.path === undefined || content?.type !== "text")
    throw inputError("nothing-designed", "There is no finished workflow to propose.");
  const { text } = content.payload;
  await workspace.files.write(made.path, Buffer.from(text));
  const workflow = await loadWorkflow(text, { file: made.path });
  return { title: titleOf(workflow), body: bodyOf(workflow) };
};

const TITLE_CHARS = 72;

const titleOf = ({ name, description }: Workflow): string => {
  const short = `Workflow ${name}`;
  const said = `${short}: ${description.replace(/\s+/g, " ").trim().replace(/\.$/, "")}`;
  return description.trim() !== "" && said.length <= TITLE_CHARS ? said : short;
};

const bodyOf = ({ name, description, roles, moderator }: Workflow): string => {
  const lines = Object.values(roles).map(
    (role) => `- \`${role.name}\`${role.description === "" ? "" : `: ${role.description.trim()}`}`,
  );
  return [
    ...(description.trim() === "" ? [] : [description.trim()]),
    `Its roles:\n\n${lines.join("\n")}`,
    `Once this is merged, \`/run ${name}\` in a comment on an issue starts it.`,
    `The file was loaded and checked, and a dry run with stub agents took all ${moderator.length} edges to the end.`,
  ].join("\n\n");
};
