import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError, inputError } from "../../../src/base/errors.ts";
import { processHolder } from "../../../src/base/process-holder.ts";
import type { IssueLabelled, RepositoryEvent } from "../../../src/forge/events.ts";
import { handleDelivery } from "../../../src/intake/handle-delivery.ts";
import type { IntakeParts } from "../../../src/intake/parts.ts";
import type { Workspaces } from "../../../src/workspace/workspace.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import { intakeParts, RECEIVED } from "../../fixtures/intake-parts.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const event: IssueLabelled = {
  kind: "issue-labelled",
  forge: "github",
  installationId: 17,
  repository: "acme/parser",
  defaultBranch: "main",
  sender: { login: "mona", id: 1, isBot: false },
  issue: {
    number: 12,
    title: "It drops a line",
    body: "",
    url: "",
    author: "mona",
    state: "open",
    isPullRequest: false,
  },
  label: "uwf",
};

const HOUR = 3_600_000;

describe("handleDelivery", () => {
  let temporary: TemporaryStore;
  let forge: FakeForge;
  let clock: { ms: number };
  beforeEach(() => {
    temporary = temporaryStore();
    forge = fakeForge();
    clock = { ms: RECEIVED };
  });
  afterEach(() => temporary.dispose());

  type Fetch = Workspaces["fetch"];
  const fetched: Fetch = async () => ({ commit: "a".repeat(40), tree: "b".repeat(40), branch: "main" });
  const partsWith = (fetch: Fetch = fetched): IntakeParts => {
    const parts = intakeParts({ store: temporary.store, forge });
    const workspaces = { ...parts.engine.workspaces, fetch };
    return { ...parts, engine: { ...parts.engine, workspaces, now: () => clock.ms } };
  };
  const deliver = (id: string, told: RepositoryEvent = event) =>
    temporary.store.addDeliveries([
      { id, forge: "github", event: "issues", body: JSON.stringify(told), receivedAt: RECEIVED },
    ]);
  const handle = (parts: IntakeParts, id = "d1") => handleDelivery(parts, id, new AbortController().signal);
  const threads = () => temporary.store.threads({ limit: 10 });
  const pending = async () => (await temporary.store.pendingDeliveries(10)).map(({ id }) => id);
  const said = () => [...forge.comments.values()].map(({ body }) => body);

  it("starts one thread when two deliveries for an issue come at the same time", async () => {
    await deliver("d1");
    await deliver("d2");
    const parts = partsWith();

    const both = await Promise.allSettled([handle(parts, "d1"), handle(parts, "d2")]);
    for (const id of await pending()) await handle(parts, id);

    expect(both.filter(({ status }) => status === "rejected")).toMatchObject([
      { reason: { code: "subject-busy" } },
    ]);
    expect(await threads()).toHaveLength(1);
    expect(await pending()).toEqual([]);
  });

  it("starts no second thread for what was asked at the same time, though the first has ended meanwhile", async () => {
    await deliver("d1");
    await deliver("d2");
    const parts = partsWith();
    clock.ms += 1;
    await handle(parts, "d1");
    const [thread] = await threads();
    if (thread !== undefined) await temporary.store.advance(thread.id, {}, { status: "completed" });

    await handle(parts, "d2");

    expect(await threads()).toHaveLength(1);
    expect([await pending(), said()]).toEqual([[], []]);
  });

  it("starts no second thread for a delivery whose thread ended before it was ticked off", async () => {
    await deliver("d1");
    const finishDelivery = async () => {
      throw new AppError("busy", { code: "store-busy", remedy: "retry" });
    };
    const parts = partsWith();
    await expect(
      handle({
        ...parts,
        engine: { ...parts.engine, store: { ...temporary.store, finishDelivery } },
      }),
    ).rejects.toThrow("busy");
    const [thread] = await threads();
    if (thread !== undefined) await temporary.store.advance(thread.id, {}, { status: "failed" });

    await handle(parts);

    expect(await threads()).toHaveLength(1);
    expect(await pending()).toEqual([]);
  });

  it("starts no thread when it stood still for so long that another process may have", async () => {
    await deliver("d1");
    const subject = "subject/github/17/acme/parser#12";
    const parts = partsWith(async (...given) => {
      const holder = (await temporary.store.leaseHolder(subject)) ?? "";
      await temporary.store.release(subject, holder);
      await temporary.store.lease(subject, "elsewhere:1:1:x:y", 300_000);
      return fetched(...given);
    });

    await expect(handle(parts)).rejects.toMatchObject({ code: "subject-busy" });

    expect(await threads()).toEqual([]);
    expect(await pending()).toEqual(["d1"]);
  });

  it("takes over at once what a process began that has died since", async () => {
    await deliver("d1");
    const dead = processHolder().replace(/:\d+:/, ":4194304:");
    await temporary.store.lease("subject/github/17/acme/parser#12", `${dead}:x`, 300_000);

    await handle(partsWith());

    expect(await threads()).toHaveLength(1);
  });

  it("comes again after a passing failure, and for a day at most", async () => {
    await deliver("d1");
    const parts = partsWith(async () => {
      throw new AppError("cannot be reached", { code: "repository-unavailable", remedy: "retry" });
    });

    await expect(handle(parts)).rejects.toMatchObject({ code: "repository-unavailable" });
    clock.ms += 25 * HOUR;
    await handle(parts);

    expect(await pending()).toEqual([]);
    expect(said()).toEqual([expect.stringContaining("Cannot be reached.")]);
  });

  it("stays for the next start when the worker is stopped", async () => {
    await deliver("d1");
    const stop = new AbortController();
    const parts = partsWith(async () => {
      stop.abort();
      throw inputError("git-cancelled", "stopped");
    });

    await expect(handleDelivery(parts, "d1", stop.signal)).rejects.toThrow("stopped");

    expect([await pending(), said()]).toEqual([["d1"], []]);
  });

  it("does not come for ever when the reason cannot be said on the issue either", async () => {
    await deliver("d1");
    forge.faults.set("createComment", inputError("forge-missing", "the issue is locked"));
    const parts = partsWith(async () => {
      throw inputError("repository-missing", "there is none");
    });

    await handle(parts);

    expect(await pending()).toEqual([]);
  });

  it("does not come for ever after an unexpected error, of which people are told no internals", async () => {
    await deliver("d1");
    const parts = partsWith(async () => {
      throw new TypeError("Cannot read properties of undefined (reading '/srv/uwf')");
    });

    await handle(parts);

    expect(await pending()).toEqual([]);
    expect(said()).toEqual([expect.stringContaining("unexpected error")]);
    expect(said()[0]).not.toContain("/srv/uwf");
  });

  describe("where the repository's configuration is wrong", () => {
    const wrong = inputError(
      "repository-config-invalid",
      "acme/parser .github/uwf.yml:1:1: lables: unknown field",
    );
    const handleWrong = async (told: RepositoryEvent) => {
      await deliver("d1", told);
      const readConfig = async () => Promise.reject(wrong);
      await handle({ ...partsWith(), readConfig });
      expect([await threads(), await pending()]).toEqual([[], []]);
    };
    const { label: _, ...about } = event;
    const comment = (body: string): RepositoryEvent => ({
      ...about,
      kind: "commented",
      comment: { id: 1, body, url: "", at: RECEIVED },
    });
    const review = { id: 1, verdict: "commented" as const, body: "No.", url: "" };

    it.each<[string, RepositoryEvent]>([
      ["label", event],
      ["label of several", { ...about, kind: "labels-changed", labels: ["bug", "UWF"], at: RECEIVED }],
      ["command", comment("/solve")],
      ["mention", comment("@uwf solve it")],
    ])("tells so who asks for work by a %s", async (_by, told) => {
      await handleWrong(told);

      expect(said()).toEqual([
        expect.stringContaining("acme/parser .github/uwf.yml:1:1: lables: unknown field"),
      ]);
    });

    it("lists what is wrong when that is more than one thing", async () => {
      await deliver("d1");
      const readConfig = async () =>
        Promise.reject(
          inputError(
            "repository-config-invalid",
            "a.yml:1:1: lables: unknown field\na.yml:2:8: draft: no",
            "Mend it.",
          ),
        );

      await handle({ ...partsWith(), readConfig });

      expect(said()[0]).toContain(
        "To `mona`: This is wrong:\n\n- a.yml:1:1: lables: unknown field\n- a.yml:2:8: draft: no\n\nMend it.",
      );
    });

    it.each<[string, RepositoryEvent]>([
      ["another label", { ...event, label: "triage" }],
      ["a comment that mentions somebody", comment("@lisa thanks")],
      ["another program's command", comment("/rebase-all-the-things")],
      ["a review", { ...about, kind: "reviewed", review }],
    ])("says nothing about %s", async (_what, told) => {
      await handleWrong(told);

      expect(said()).toEqual([]);
    });

    it("says nothing to strangers", async () => {
      forge.permissionIs = "read";

      await handleWrong(event);

      expect(said()).toEqual([]);
    });
  });
});
