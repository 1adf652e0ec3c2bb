import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { resolves } from "../../src/llm/scripted-model.ts";
import { runningBot } from "../rigs/bot.ts";
import { CLIENT_TOKEN, designerClient, type WireResponse } from "../rigs/designer-client.ts";
import { triageStory, triageWords } from "../rigs/designer-story.ts";
import { freePort } from "../rigs/free-port.ts";
import { type ModelScript, roleScript } from "../rigs/model-script.ts";
import { openIssue, say, shown } from "../rigs/story.ts";

/** The designer's own questions, and the role of the workflow that it makes. */
const script: ModelScript = (request) => {
  const system = request.messages.find(({ role }) => role === "system")?.content ?? "";
  if (system.includes("You are the **designer**")) return triageStory(request);
  return roleScript({ sorter: [resolves({ status: "bug", reason: "It subtracts." })] })(request);
};

it("makes a workflow through the gRPC service of uwf start, which then runs on a repository", async () => {
  const port = await freePort();
  await using bot = await runningBot({
    forge: "github",
    script,
    config: `designer: { grpcPort: ${port} }\n`,
    apiToken: CLIENT_TOKEN,
  });
  const client = designerClient(`127.0.0.1:${port}`);
  const session = { session_id: randomUUID(), user_id: randomUUID() };
  let last: WireResponse | undefined;
  for (const user_message of triageWords) {
    const current_state = last?.updated_state ?? null;
    last = (await client.call({ ...session, user_message, current_state })).at(-1);
  }
  client.close();
  expect(last).toMatchObject({
    updated_state: { stage: "COMPLETED" },
    message: { text: expect.stringContaining("The workflow `triage` (1 role) is ready") },
  });

  const issue = await openIssue(bot);
  await say(bot, issue, "/run triage");

  await shown(bot, issue, "Done");
  const asked = bot.model.requests.find(({ messages }) =>
    messages[0]?.content.includes("You are the **sorter**"),
  );
  expect(asked).toBeDefined();
}, 120_000);

it("does not start with a port for gRPC and no token", async () => {
  const open = runningBot({ forge: "github", script, config: "designer: { grpcPort: 0 }\n" });

  await expect(open).rejects.toMatchObject({
    message:
      "designer.grpcPort needs UWF_API_TOKEN: without it, whoever reaches the port would be the operator",
    hint: "Set UWF_API_TOKEN (`openssl rand -hex 32` makes one), or leave designer.grpcPort out.",
  });
});
