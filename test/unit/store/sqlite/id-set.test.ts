import fc from "fast-check";
import { expect, it } from "vitest";
import { idSet } from "../../../../src/store/sqlite/id-set.ts";

const id = fc.integer({ min: 1, max: 200 });
const change = fc.record({ kind: fc.constantFrom("add" as const, "add" as const, "delete" as const), id });

it("holds what a set holds, and gives it from the greatest down", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300 }), id, fc.nat(50), (changes, below, count) => {
      const [ids, model] = [idSet(200), new Set<number>()];
      for (const { kind, id } of changes) {
        ids[kind](id);
        model[kind](id);
      }

      const descending = [...model].toSorted((a, b) => b - a);
      expect(ids.below(Number.MAX_SAFE_INTEGER, 1_000)).toEqual(descending);
      expect(ids.below(below, count)).toEqual(descending.filter((id) => id < below).slice(0, count));
      for (let id = 1; id <= 200; id++) expect(ids.has(id)).toBe(model.has(id));
    }),
  );
});

it("takes no id that is greater than its greatest", () => {
  const ids = idSet(40);

  ids.add(41);
  ids.add(40);

  expect([ids.has(41), ids.below(100, 9)]).toEqual([false, [40]]);
});
