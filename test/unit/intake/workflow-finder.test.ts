import { afterEach, beforeEach, expect, it } from "vitest";
import { workflowFinder } from "../../../src/intake/workflow-finder.ts";
import { fakeForge } from "../../fixtures/fake-forge.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

let temporary: TemporaryStore;
beforeEach(() => {
  temporary = temporaryStore();
});
afterEach(() => temporary.dispose());

it("says to people on the forge where a repository's workflows are, and nothing of the command line", async () => {
  const find = workflowFinder(temporary.store);

  await expect(find("nope", fakeForge())).rejects.toMatchObject({
    code: "workflow-unknown",
    message: "There is no workflow `nope` here.",
    hint: "A repository's own are files like `.uwf/workflows/docs.yaml` on its default branch.",
  });
});
