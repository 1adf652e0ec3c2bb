import { describe, expect, it } from "vitest";
import type { Usage } from "../../../src/store/payload.ts";
import { reachedLimit, type Spent } from "../../../src/thread/limits.ts";

const usage = (change: Partial<Usage> = {}): Usage => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costUsd: null,
  ...change,
});
const usd = (costUsd: number) => usage({ costUsd });
const tokens = (count: number) => usage({ inputTokens: count - 1, outputTokens: 1 });
const reached = (
  spent: Partial<Spent>,
  thread: { budgetUsd?: number; budgetTokens?: number },
  role: Parameters<typeof reachedLimit>[1]["role"] = {},
) =>
  reachedLimit(
    { thread: usage(), step: usage(), stepMs: 0, call: null, ...spent },
    { thread: { pauseAfterRounds: 40, budgetUsd: null, budgetTokens: null, ...thread }, role },
  );

describe("a thread's budget", () => {
  it("is reached when the next call and a last word might not fit", () => {
    expect(reached({ thread: usd(4), call: usd(0.4) }, { budgetUsd: 5 })).toBeNull();
    expect(reached({ thread: usd(4), call: usd(0.42) }, { budgetUsd: 5 })).toEqual({
      of: "thread",
      reason: "The thread's budget of $5.00 is all but spent ($4.00): more would not fit.",
    });
    expect(reached({ thread: tokens(520), call: tokens(200) }, { budgetTokens: 1000 })).toBeNull();
    expect(reached({ thread: tokens(521), call: tokens(200) }, { budgetTokens: 1000 })?.reason).toBe(
      "The thread's budget of 1000 tokens is all but spent (521 tokens): more would not fit.",
    );
  });

  it("is reached when it is spent, whatever a call costs", () => {
    expect(reached({ thread: usd(5) }, { budgetUsd: 5 })?.reason).toBe(
      "The thread's budget of $5.00 is spent ($5.00).",
    );
    expect(reached({ thread: usd(0.0025) }, { budgetUsd: 0.002 })?.reason).toBe(
      "The thread's budget of $0.002 is spent ($0.0025).",
    );
    expect(reached({ thread: usd(4.99) }, { budgetUsd: 5 })).toBeNull();
    expect(reached({ thread: usd(99) }, {})).toBeNull();
  });
});

it("tells a role's own limits from the thread's", () => {
  expect(reached({ step: usd(1) }, {}, { budgetUsd: 1 })).toMatchObject({ of: "role" });
  expect(reached({ stepMs: 60_000 }, {}, { timeoutMinutes: 1 })).toEqual({
    of: "role",
    reason: "The role's 1 minutes are over.",
  });
});
