import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_MESSAGE } from "../../../src/config/designer-config.ts";
import type { IssueLabelled, LabelsChanged } from "../../../src/forge/events.ts";
import type { LabelAddition } from "../../../src/forge/forge.ts";
import { noticeMarker } from "../../../src/forge/text/notice.ts";
import { handleLabelled, handleLabels } from "../../../src/intake/labels.ts";
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

const mona = { login: "mona", id: 1, isBot: false };
const about = { ...PLACE, defaultBranch: "main", sender: mona };
const parts = () => intakeParts({ store: temporary.store, forge });
const settings = {
  labels: {
    uwf: "solve-issue",
    "uwf:review": "review-pr",
    "uwf:lint": "lint",
    "uwf:design": "design",
    quiet: null,
  },
};
const started = async () =>
  (await temporary.store.threads({ limit: 10 })).map(({ workflow, subject }) => [workflow, subject]);
const notices = () => [...forge.comments.values()].map(({ body }) => body.replace(noticeMarker, "").trim());

describe("a label that was added", () => {
  const label = (name: string, more: Partial<IssueLabelled> = {}) =>
    handleLabelled(parts(), askedOf(forge, settings), {
      ...about,
      kind: "issue-labelled",
      issue: anIssue(),
      label: name,
      ...more,
    });

  it("starts its workflow, whatever its case", async () => {
    const thread = await label("UWF");

    expect(thread).toMatchObject({ workflow: "solve-issue", subject: "github/17/acme/parser#12" });
    expect(await temporary.store.load("thread-start", thread?.start ?? ("" as never))).toMatchObject({
      trigger: "label",
      input: expect.stringMatching(
        /^<instruction id="(\w+)" of="issue #12" by="mona">\nIt drops a line\n<\/instruction id="\1">$/,
      ),
      source: { requester: { login: "mona", id: 1 }, issue: { number: 12 } },
    });
    expect(forge.reactions).toEqual(["eyes"]);
  });

  it("begins a conversation with what the issue says, as people see it", async () => {
    const issue = anIssue({ title: "Sort new issues", body: "Bugs <!-- and all --> first" });

    const thread = await label("uwf:design", { issue });

    expect(thread).toMatchObject({ workflow: "design" });
    expect(await temporary.store.load("thread-start", thread?.start ?? ("" as never))).toMatchObject({
      input: "Sort new issues\n\nBugs  first",
    });
  });

  it("begins no conversation with more than one hears at once, and says so", async () => {
    await label("uwf:design", { issue: anIssue({ body: "a ".repeat(MAX_MESSAGE) }) });

    expect(await started()).toEqual([]);
    expect(notices()).toEqual([expect.stringContaining("Say it in parts.")]);
  });

  it.each([
    ["another label", "bug", {}],
    ["a label that starts nothing", "quiet", {}],
    ["a closed issue", "uwf", { issue: anIssue({ state: "closed" }) }],
    ["a bot", "uwf", { sender: { ...mona, isBot: true } }],
  ])("starts nothing: %s", async (_, name, more) => {
    await label(name, more);

    expect([await started(), forge.called]).toEqual([[], []]);
  });

  it("starts nothing for somebody who may not write, and shows that it was seen", async () => {
    forge.permissionIs = "read";

    await label("uwf");

    expect([await started(), forge.reactions]).toEqual([[], ["confused"]]);
  });

  it("starts nothing when nobody can say whether somebody may write", async () => {
    forge.faults.set("permission", new Error("unclear"));

    await expect(label("uwf")).rejects.toThrow("unclear");
    expect(await started()).toEqual([]);
  });

  describe("on a pull request", () => {
    const onPull = (name: string) => label(name, { issue: anIssue({ number: 1, isPullRequest: true }) });
    beforeEach(async () => {
      await forge.createPullRequest({
        branch: "uwf/a",
        base: "main",
        title: "",
        body: "",
        draft: true,
        reviewers: [],
      });
    });

    it("works on its branch", async () => {
      const thread = await onPull("uwf:lint");

      expect(await temporary.store.load("thread-start", thread?.start ?? ("" as never))).toMatchObject({
        source: { pullRequest: { number: 1, branch: "uwf/a", repository: "acme/parser" } },
      });
    });

    it.each(["uwf", "uwf:design"])("does not take it for an issue, and says so: %s", async (name) => {
      await onPull(name);

      expect(await started()).toEqual([]);
      expect(notices()).toEqual([expect.stringContaining("To `mona`: that label is for issues.")]);
    });

    it("reviews anybody's, and works on the bot's own alone", async () => {
      forge.details.set(1, { isOwn: false });

      await onPull("uwf:lint");
      await onPull("uwf:review");

      expect(notices()).toEqual([expect.stringContaining("I push only to branches")]);
      expect(await started()).toEqual([["review-pr", "github/17/acme/parser#1"]]);
    });
  });
});

describe("labels that changed", () => {
  const change = (labels: readonly string[], additions: Readonly<Record<string, Partial<LabelAddition>>>) => {
    const labelAddition = async (_issue: number, label: string) => {
      const addition = additions[label];
      return addition === undefined ? undefined : { id: "a1", by: "mona", at: RECEIVED, ...addition };
    };
    const event: LabelsChanged = { ...about, kind: "labels-changed", issue: anIssue(), labels, at: RECEIVED };
    return handleLabels(parts(), askedOf({ ...forge, labelAddition }, settings), event);
  };

  it("start the workflow of the one that was added with this change", async () => {
    await change(["bug", "uwf", "uwf:lint"], { uwf: { at: RECEIVED - 60_000 }, "uwf:lint": { by: "Mona" } });

    expect(await started()).toEqual([["lint", "github/17/acme/parser#12"]]);
  });

  it.each([
    ["was there before", { uwf: { at: RECEIVED - 5_001 } }],
    ["was added by somebody else", { uwf: { by: "hubot" } }],
    ["is gone already", {}],
  ])("start nothing for one that %s", async (_, additions) => {
    await change(["uwf"], additions);

    expect(await started()).toEqual([]);
  });

  it("start one thread for one addition, however often it is told of", async () => {
    await change(["uwf"], { uwf: {} });
    await change(["uwf", "bug"], { uwf: {} });

    expect(await started()).toHaveLength(1);
  });
});
