import { describe, expect, it } from "vitest";
import { memoryJournal } from "../../../src/agents/memory-journal.ts";

describe("memoryJournal", () => {
  it("keeps turns in order and leaves those it was given alone", async () => {
    const given = [{ kind: "message" as const, text: "a", at: 0 }];
    const journal = memoryJournal(given);
    await journal.append({ kind: "message", text: "b", at: 1 });
    expect(journal.turns).toMatchObject([{ text: "a" }, { text: "b" }]);
    expect(given).toHaveLength(1);
  });

  it("knows which calls have begun and have no result", async () => {
    const journal = memoryJournal([], ["old"]);
    await journal.begin(["a", "b"]);
    await journal.append({
      ...{ kind: "tool", callId: "a", name: "read_file", ok: true, text: "", seen: {}, at: 0, ms: 0 },
    });
    expect([...journal.begun]).toEqual(["old", "b"]);
    expect([...journal.cutOff]).toEqual(["old"]);
    expect(journal.spent()).toBeNull();
  });
});
