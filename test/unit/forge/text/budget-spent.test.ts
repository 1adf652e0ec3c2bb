import { expect, it } from "vitest";
import { reasonToCall } from "../../../../src/forge/text/call.ts";
import { commandsNow } from "../../../../src/forge/text/commands-now.ts";
import { exampleView } from "../../../fixtures/thread-views.ts";

const paused = (reason: string, spentUsd: number) =>
  exampleView({
    ...{ state: "paused", awaits: { kind: "person" }, reason },
    budget: { spentUsd, limitUsd: 5 },
  });

it.each([
  ["The thread's budget of $5.00 is spent ($5.10).", 5.1],
  ["The thread's budget of $5.00 is all but spent ($4.80): more would not fit.", 4.8],
  [
    'The role "developer" did not finish before its limit: The thread\'s budget of $5.00 is all but spent ($4.80): more would not fit.',
    4.8,
  ],
])("says that the budget is spent, and what more would cost: %s", (reason, spentUsd) => {
  const view = paused(reason, spentUsd);

  expect(reasonToCall(view)).toBe("the budget is spent");
  expect(commandsNow(view)).toContain("`/resume [note]` lets it go on, for $5.00 more");
});

it("says nothing of a budget where something else made the work pause", () => {
  const view = paused('The role "developer" did not finish before its limit: The role\'s time is over.', 1);

  expect(reasonToCall(view)).toBe("the work is paused and waits for you");
  expect(commandsNow(view)).toContain("`/resume [note]` lets it go on ·");
});
