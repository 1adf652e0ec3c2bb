import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { NewTurn } from "../../../../src/agents/adapter.ts";
import { memoryJournal } from "../../../../src/agents/memory-journal.ts";
import { type AgentToAdapterOptions, agentToAdapter } from "../../../../src/agents/text/agent-to-adapter.ts";
import type { AgentAnswer, TextAgent, TextAgentContext } from "../../../../src/agents/text/text-agent.ts";
import { AppError } from "../../../../src/base/errors.ts";
import { calls, resolves, scriptedModel } from "../../../../src/llm/scripted-model.ts";
import { makeNode } from "../../../../src/store/node.ts";
import { capturedIn } from "../../../../src/thread/open-workspace.ts";
import { threadContext } from "../../../fixtures/thread-context.ts";

const schema = z.object({ status: z.enum(["done", "failed"]), summary: z.string() });
const DONE = "---\nstatus: done\nsummary: Fixed the sum.\n---\nAll tests pass.";
const PROSE = "I have fixed the sum. The work is done.";
const done = { status: "done", summary: "Fixed the sum." };

type Asked = { sessionId: string | null; text: string };

/** Answers from a list, in one session. */
const agentOf = (answers: readonly (AgentAnswer | Error)[]): TextAgent & { asked: Asked[] } => {
  const asked: Asked[] = [];
  const answer = async (sessionId: string | null, text: string): Promise<AgentAnswer> => {
    const next = answers[asked.push({ sessionId, text }) - 1];
    if (next === undefined) throw new Error("nobody expected this question");
    if (next instanceof Error) throw next;
    return typeof next === "string" ? { output: next, sessionId: "s1" } : next;
  };
  return {
    asked,
    run: (context) => answer(null, context.prompt),
    continue: (sessionId, message) => answer(sessionId, message),
  };
};

const kinds = (turns: readonly NewTurn[]): string[] => turns.map(({ kind }) => kind);

describe("agentToAdapter", () => {
  it("takes the output from the frontmatter, without a model", async () => {
    const agent = agentOf([DONE]);
    const context = threadContext({
      steps: [{ role: "planner", output: { plan: "Mend sum." } }],
      task: "Fix sum.",
    });

    const output = await agentToAdapter(agent, null)("You are the **coder**.", schema)(context);

    expect(output).toEqual(done);
    const [{ text }] = agent.asked as [Asked];
    for (const part of [
      "You are the **coder**.",
      "Fix sum.",
      "planner answered",
      "Mend sum.",
      "YAML frontmatter",
    ])
      expect(text).toContain(part);
    expect(context.journal.turns).toMatchObject([
      { kind: "message", text },
      { kind: "reply", model: "agent", content: DONE, reasoning: { sessionId: "s1" } },
    ]);
  });

  it("takes a function that answers text alone", async () => {
    const asked: string[] = [];
    const agent = async ({ prompt }: TextAgentContext): Promise<string> => {
      asked.push(prompt);
      return DONE;
    };

    expect(await agentToAdapter(agent, null)("Code.", schema)(threadContext())).toEqual(done);
    expect(asked).toHaveLength(1);
  });

  it("says twice in the same session what is wrong", async () => {
    const agent = agentOf([PROSE, "---\nstatus: nearly\nsummary: x\n---", DONE]);

    expect(await agentToAdapter(agent, null)("Code.", schema)(threadContext())).toEqual(done);
    expect(agent.asked).toMatchObject([
      { sessionId: null },
      { sessionId: "s1", text: expect.stringContaining("There is no YAML frontmatter") },
      { sessionId: "s1", text: expect.stringContaining('status: must be one of "done", "failed"') },
    ]);
  });

  it("lets a model find the output after two corrections, in the answers alone", async () => {
    const agent = agentOf([PROSE, "Sorry.", "Once more: Fixed the sum."]);
    const model = scriptedModel([resolves({ output: done })]);

    expect(await agentToAdapter(agent, model)("Code.", schema)(threadContext())).toEqual(done);
    expect(agent.asked).toHaveLength(3);
    const [task] = model.asked;
    expect(task?.[1]?.content).toContain(PROSE);
    expect(task?.[1]?.content).toContain("Once more");
    expect(model.requests[0]?.tools.map((tool) => tool.function.name)).toEqual(["cas_get", "resolve"]);
    model.assertDone();
  });

  it("asks a model at once about the answer of an agent without a session", async () => {
    const model = scriptedModel([resolves({ output: { status: "done", summary: "fixed the sum" } })]);

    const output = await agentToAdapter(async () => PROSE, model)("Code.", schema)(threadContext());

    expect(output).toEqual({ status: "done", summary: "fixed the sum" });
  });

  it("does not open the model before it is needed", async () => {
    const open = () => Promise.reject(new Error("no key"));

    expect(await agentToAdapter(async () => DONE, open)("Code.", schema)(threadContext())).toEqual(done);
    await expect(agentToAdapter(async () => PROSE, open)("Code.", schema)(threadContext())).rejects.toThrow(
      "no key",
    );
  });

  it("refuses what a model invents, says which value, and takes what is there", async () => {
    const model = scriptedModel([
      resolves({ output: { status: "done", summary: "Mended everything." } }),
      resolves({ output: { status: "done", summary: "fixed the sum" } }),
    ]);

    const output = await agentToAdapter(async () => PROSE, model)("Code.", schema)(threadContext());

    expect(output).toMatchObject({ summary: "fixed the sum" });
    expect(model.asked[1]?.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining('summary: "Mended everything." is not in the text'),
    });
  });

  it("fails when the model goes on inventing", async () => {
    const invented = resolves({ output: { status: "done", summary: "Mended everything." } });
    const model = scriptedModel([invented, invented, invented]);

    await expect(
      agentToAdapter(async () => PROSE, model)("Code.", schema)(threadContext()),
    ).rejects.toMatchObject({
      code: "role-output-invalid",
      message: expect.stringContaining("is not in the text"),
    });
  });

  it("fails with the fields that the answer does not say", async () => {
    const model = scriptedModel([resolves({ missing: ["summary"] })]);

    await expect(
      agentToAdapter(async () => "Done.", model)("Code.", schema)(threadContext()),
    ).rejects.toMatchObject({
      code: "role-output-missing",
      message: 'The answer of the role "coder" does not say: summary.',
    });
  });

  it("fills in what the schema fills in", async () => {
    const withDefault = schema.extend({ files: z.number().default(0) });
    const model = scriptedModel([resolves({ output: { status: "done", summary: "fixed the sum" } })]);

    expect(await agentToAdapter(async () => PROSE, model)("Code.", withDefault)(threadContext())).toEqual({
      status: "done",
      summary: "fixed the sum",
      files: 0,
    });
  });

  it("finds values in a node that the answer names, and only when it was read", async () => {
    const node = makeNode("output", { value: { summary: "Rewrote the parser." } });
    const nodes = { find: async (prefix: string) => (node.hash.startsWith(prefix) ? [node] : []) };
    const output = { status: "done", summary: "Rewrote the parser." };
    const model = scriptedModel([
      resolves({ output }),
      calls("cas_get", { hash: node.hash.slice(0, 13) }),
      resolves({ output }),
    ]);
    const agent = async (): Promise<string> => `Done. The summary is in ${node.hash}.`;

    expect(await agentToAdapter(agent, model, { nodes })("Code.", schema)(threadContext())).toEqual(output);
    expect(model.asked[1]?.at(-1)?.content).toContain("is not in the text");
    model.assertDone();
  });

  it("suspends with the agent's own words", async () => {
    const suspension = { $status: "$SUSPEND", reason: "I need the key." };
    const model = scriptedModel([
      resolves({ output: { ...suspension, reason: "No time." } }),
      resolves({ output: suspension }),
    ]);
    const agent = async (): Promise<string> => "I cannot go on: I need the key.";

    expect(await agentToAdapter(agent, model)("Code.", schema)(threadContext())).toEqual(suspension);
  });

  it("says what is missing where there is no model", async () => {
    await expect(
      agentToAdapter(async () => PROSE, null)("Code.", schema)(threadContext()),
    ).rejects.toMatchObject({
      code: "extract-model-missing",
      remedy: "fix-config",
    });
  });

  it("counts what the agent has used", async () => {
    const usage = { inputTokens: 5, cachedInputTokens: 1, outputTokens: 2, costUsd: 0.5 };
    const context = threadContext();

    await agentToAdapter(agentOf([{ output: DONE, sessionId: "s", usage, model: "big" }]), null)(
      "Code.",
      schema,
    )(context);

    expect(context.journal.turns.at(-1)).toMatchObject({ kind: "reply", model: "big", usage });
  });

  it("tells the agent what was noted while its workspace was made ready", async () => {
    const context = threadContext();
    const agent = agentOf([DONE]);
    const ready = async (): Promise<void> => {
      if (context.journal.turns.length === 1)
        await context.journal.append({ kind: "message", text: "Setup: npm ci failed.", at: 1 });
    };

    await agentToAdapter(agent, null, { ready })("Code.", schema)(context);

    expect(agent.asked).toMatchObject([
      { text: expect.stringMatching(/^Code\.[\s\S]*\n\nSetup: npm ci failed\.$/) },
    ]);
  });

  it("does not take a thread that was stopped for a lost session", async () => {
    const stopped = new AppError("The thread was paused.", { code: "paused", remedy: "fix-input" });
    const agent = agentOf([PROSE, DONE]);
    const inner = memoryJournal();
    const begin = async (ids: readonly string[]): Promise<void> => {
      if (ids.includes("run-2")) throw stopped;
      await inner.begin(ids);
    };
    const context = threadContext({ journal: { ...inner, begin } });

    await expect(agentToAdapter(agent, scriptedModel([]))("Code.", schema)(context)).rejects.toBe(stopped);
    expect(agent.asked).toHaveLength(1);
  });

  it("keeps the files as each answer leaves them", async () => {
    const files = makeNode("text", { encoding: "utf8", text: "stands for files" }).hash;
    const journal = { ...memoryJournal(), capture: async () => files };

    await agentToAdapter(agentOf([DONE]), null)("Code.", schema)(threadContext({ journal }));

    expect(journal.turns.at(-1)).toMatchObject({ kind: "reply", workspace: files });
    expect(capturedIn(journal.turns)).toBe(files);
  });
});

describe("agentToAdapter, again after its process died", () => {
  const played = async (answers: (string | Error)[], options: AgentToAdapterOptions = {}) => {
    const context = threadContext();
    const agent = agentOf(answers);
    const model = scriptedModel([resolves({ output: { status: "done", summary: "fixed the sum" } })]);
    await agentToAdapter(agent, model, options)("Code.", schema)(context);
    return context.journal.turns;
  };

  it("goes on from every turn to the same end, and asks for nothing that is stored", async () => {
    const answers = [PROSE, "Sorry.", "I fixed the sum, done."];
    const turns = await played(answers);
    expect(kinds(turns)).toEqual([
      "message",
      "reply",
      "message",
      "reply",
      "message",
      "reply",
      "message",
      "reply",
    ]);

    for (let length = 0; length <= turns.length; length++) {
      const journal = memoryJournal(turns.slice(0, length));
      const given = turns
        .slice(0, length)
        .filter((turn) => turn.kind === "reply" && turn.model === "agent").length;
      const agent = agentOf(answers.slice(given));
      const extracted = length === turns.length;
      const model = scriptedModel(
        extracted ? [] : [resolves({ output: { status: "done", summary: "fixed the sum" } })],
      );

      const output = await agentToAdapter(agent, model)("Code.", schema)(threadContext({ journal }));

      expect(output).toEqual({ status: "done", summary: "fixed the sum" });
      expect(agent.asked).toHaveLength(answers.length - given);
      expect(kinds(journal.turns)).toEqual(kinds(turns));
      model.assertDone();
    }
  });

  it("tells an agent whose run was cut off so, once, and asks again", async () => {
    const journal = memoryJournal([{ kind: "message", text: "The prompt.", at: 1 }], ["run-1"]);
    const agent = agentOf([DONE]);

    expect(await agentToAdapter(agent, null)("Code.", schema)(threadContext({ journal }))).toEqual(done);
    expect(agent.asked).toMatchObject([
      {
        sessionId: null,
        text: expect.stringMatching(/^The prompt\.\n\nAn earlier attempt at this was cut off\./),
      },
    ]);
  });

  it("asks again for a correction that was cut off, in its session", async () => {
    const turns = await played([PROSE, DONE]);
    const journal = memoryJournal(turns.slice(0, 3), ["run-2"]);
    const agent = agentOf([DONE]);

    expect(await agentToAdapter(agent, null)("Code.", schema)(threadContext({ journal }))).toEqual(done);
    expect(agent.asked).toMatchObject([
      { sessionId: "s1", text: expect.stringContaining("could not be read") },
    ]);
  });

  it("lets a model look when the session is gone", async () => {
    const gone = new AppError("No conversation found.", { code: "program-failed", remedy: "fix-input" });
    const turns = await played([PROSE, gone]);

    expect(kinds(turns)).toEqual(["message", "reply", "message", "message", "reply"]);
    expect(turns[3]).toMatchObject({ text: expect.stringContaining("No conversation found.") });
  });

  it("does not take a failure that passes for a lost session", async () => {
    const passing = new AppError("The disk is full.", { code: "disk-full", remedy: "retry" });

    await expect(played([PROSE, passing])).rejects.toThrow("The disk is full.");
  });

  it("spends nothing more once the step may not", async () => {
    const spent = "The role's budget of $1.00 is spent.";
    const context = threadContext({ journal: { ...memoryJournal(), spent: () => spent } });

    await expect(agentToAdapter(agentOf([DONE]), null)("Code.", schema)(context)).rejects.toMatchObject({
      code: "role-budget-exceeded",
      message: expect.stringContaining(spent),
    });
  });

  it("asks no agent before the checkpoint lets it", async () => {
    const agent = agentOf([DONE]);
    const checkpoint = (): void => {
      throw new Error("paused");
    };

    await expect(
      agentToAdapter(agent, null, { checkpoint })("Code.", schema)(threadContext()),
    ).rejects.toThrow("paused");
    expect(agent.asked).toEqual([]);
  });
});
