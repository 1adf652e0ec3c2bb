import fc from "fast-check";
import { expect, it } from "vitest";
import { threadStatuses } from "../../../src/store/store.ts";
import { isEnded, isRunnable, threadCommands, transition } from "../../../src/thread/state.ts";

const sequence = fc.array(fc.constantFrom(...threadCommands), { maxLength: 200 });

it("keeps its promises through any sequence of commands", () => {
  fc.assert(
    fc.property(fc.constantFrom(...threadStatuses), sequence, (first, commands) => {
      let status = first;
      for (const command of commands) {
        const next = transition(status, command);
        if (next === null) continue;
        expect(threadStatuses).toContain(next);
        // Only a person brings back what has ended or waits, and only by its line.
        if (!isRunnable(status)) expect([command === "resume", command === "cancel"]).toContain(true);
        if (isEnded(status)) expect([command, next]).toEqual(["resume", "queued"]);
        // Nothing runs that no worker has claimed, and what completes was running.
        if (next === "running") expect(command).toBe("claim");
        if (next === "completed" || next === "suspended") expect(status).toBe("running");
        status = next;
      }
      // Whatever has happened, a person can end it or let it go on.
      expect(
        [transition(status, "cancel"), transition(status, "resume")].filter((to) => to !== null),
      ).not.toEqual([]);
    }),
    { numRuns: 500 },
  );
});
