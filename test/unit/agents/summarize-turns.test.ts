import { describe, expect, it } from "vitest";
import type { NewTurn } from "../../../src/agents/adapter.ts";
import { summarizeTurns } from "../../../src/agents/summarize-turns.ts";
import { says, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { estimateRequest } from "../../../src/llm/tokens.ts";

const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null };
const round = (index: number, text: string): NewTurn[] => [
  {
    ...{ kind: "reply", model: "m", content: "", reasoning: null, finish: "stop", usage, at: 0, ms: 0 },
    toolCalls: [{ id: `c${index}`, name: "read_file", arguments: `{"path":"src/f${index}.ts"}` }],
  },
  { ...{ kind: "tool", name: "read_file", ok: false, seen: {}, at: 0, ms: 0 }, callId: `c${index}`, text },
];
const ask = async (gone: NewTurn[], { summary = "Done: much.", earlier = null as string | null } = {}) => {
  const model = scriptedModel([says(summary)], { contextTokens: 12_000, maxOutputTokens: 2_000 });
  const result = await summarizeTurns(
    model,
    { task: "Fix it.", earlier, gone },
    { signal: new AbortController().signal, bounded: (request) => request },
  );
  return { ...result, request: model.requests[0], log: model.asked[0]?.[1]?.content ?? "" };
};

describe("summarizeTurns", () => {
  it("shows the log with results shortened to head and tail", async () => {
    const { log } = await ask(round(1, `head${"x".repeat(50_000)}tail`));
    expect(log).toMatch(
      /## Call read_file\n\{"path":"src\/f1\.ts"\}\n\n## Result of read_file \(failed\)\nheadx+\n\[… \d+ characters left out …\]\nx+tail\n/,
    );
  });

  it("fits the window, leaving the oldest out and saying so", async () => {
    const rounds = Array.from({ length: 100 }, (_, index) => round(index, "y".repeat(2_000))).flat();
    const { log, request } = await ask(rounds);
    expect(estimateRequest(request ?? { messages: [], tools: [] })).toBeLessThan(8_000);
    expect(log).toMatch(/\(\d+ older entries left out\)/);
    expect(log).toContain("src/f99.ts");
    expect(log).not.toContain("src/f1.ts");
  });

  it("adds the files that were named, exactly", async () => {
    const { summary } = await ask([...round(1, "a"), ...round(2, "b"), ...round(1, "a")]);
    expect(summary).toBe("Done: much.\n\nFiles named in calls: src/f1.ts, src/f2.ts");
  });

  it("keeps the earlier summary when it has to list the calls", async () => {
    const { summary } = await ask(round(1, "a"), { summary: "", earlier: "Before: little." });
    expect(summary).toMatch(/^Before: little\.\nCalls made so far.*\n- read_file .* \(failed\)\n/);
  });
});
