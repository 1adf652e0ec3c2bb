import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { handleComment } from "../../../src/intake/comments.ts";
import { handleLabelled } from "../../../src/intake/labels.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import { anIssue, askedOf, intakeParts, PLACE, RECEIVED } from "../../fixtures/intake-parts.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

let temporary: TemporaryStore;
let forge: FakeForge;
beforeEach(() => {
  temporary = temporaryStore();
  forge = fakeForge();
});
afterEach(() => temporary.dispose());

const about = {
  ...{ ...PLACE, defaultBranch: "main", issue: anIssue() },
  sender: { login: "mona", id: 1, isBot: false },
};
const parts = () => intakeParts({ store: temporary.store, forge });
const comment = () =>
  handleComment(parts(), askedOf(forge), {
    ...{ ...about, kind: "commented" },
    comment: { id: 5, body: "/solve", url: "", at: RECEIVED },
  });
const label = () =>
  handleLabelled(parts(), askedOf(forge), { ...about, kind: "issue-labelled", label: "uwf" });

describe.each([
  ["a command", comment],
  ["a label", label],
])("the reaction to %s", (_, trigger) => {
  it.each([
    ["is gone", "forge-missing", "fix-input"],
    ["is locked", "forge-denied", "fix-config"],
  ] as const)("keeps nobody from being obeyed when what it answers %s", async (_why, code, remedy) => {
    forge.faults.set("react", new AppError("not here", { code, remedy }));

    expect(await trigger()).toMatchObject({ status: "queued" });
  });

  it("says nothing to somebody who may not write, also when it is refused", async () => {
    forge.permissionIs = "read";
    forge.faults.set("react", new AppError("no", { code: "forge-denied", remedy: "fix-config" }));

    expect(await trigger()).toBeUndefined();
    expect([forge.comments.size, await temporary.store.threads({ limit: 1 })]).toEqual([0, []]);
  });

  it("is tried again when the forge does not answer", async () => {
    forge.faults.set("react", new AppError("down", { code: "forge-unavailable", remedy: "retry" }));

    await expect(trigger()).rejects.toMatchObject({ code: "forge-unavailable" });
  });
});
