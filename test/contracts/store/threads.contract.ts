import { expect, it } from "vitest";
import { newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import { type Store, stampOf, threadLease } from "../../../src/store/store.ts";
import { fixtureTime, messageFixture, threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { created, type Rig } from "./rig.ts";

export const threadsContract = (rig: () => Rig): void => {
  it("gives back the record as it was created", async () => {
    const fixture = threadFixture();
    const turn = messageFixture(null, "under way");
    const record = threadRecord(fixture, {
      tip: turn.hash,
      begun: ["call-1", "call-2"],
      status: "paused",
      reason: "a person asked",
      note: "go on with “care”",
    });

    await rig().store.createThread(record, [...fixture.nodes, turn]);

    expect(await rig().store.thread(record.id)).toEqual(record);
    expect(await rig().store.thread(newThreadId())).toBeUndefined();
  });

  it("creates no thread twice, and none whose nodes are missing", async () => {
    const { record } = await created(rig().store);
    const other = threadFixture({ input: "never put" });

    await expect(rig().store.createThread(record, [])).rejects.toMatchObject({ code: "thread-exists" });
    await expect(rig().store.createThread(threadRecord(other), [])).rejects.toMatchObject({
      code: "node-missing",
    });
    expect(await rig().store.threads({ limit: 10 })).toEqual([record]);
  });

  it("lists threads newest first, by status, up to a limit", async () => {
    const fixture = threadFixture();
    const statuses = ["completed", "queued", "running"] as const;
    const records = statuses.map((status, n) =>
      threadRecord(fixture, { status, createdAt: fixtureTime + n }),
    );
    for (const record of records) await rig().store.createThread(record, fixture.nodes);
    const listed = async (filter: Parameters<Store["threads"]>[0]) =>
      (await rig().store.threads(filter)).map((record) => record.status);

    expect(await listed({ limit: 10 })).toEqual(["running", "queued", "completed"]);
    expect(await listed({ limit: 2 })).toEqual(["running", "queued"]);
    expect(await listed({ status: ["completed", "queued"], limit: 10 })).toEqual(["queued", "completed"]);
    expect(await listed({ status: [], limit: 10 })).toEqual([]);
  });

  it("lists the threads of an installation, of a repository, of a subject, each with or without a status", async () => {
    const { store } = rig();
    const fixture = threadFixture();
    const places = ["github/1/a/x#1", "github/1/a/x#2", "github/1/a/y#1", "github/12/a/x#1", null];
    for (const [place, subject] of places.entries())
      for (const [n, status] of (["queued", "completed"] as const).entries())
        await store.createThread(
          threadRecord(fixture, {
            title: `${place} ${status}`,
            status,
            subject,
            installation: subject?.split("/").slice(0, 2).join("/") ?? null,
            repository: subject?.split("#")[0] ?? null,
            createdAt: fixtureTime + 2 * place + n,
          }),
          fixture.nodes,
        );
    const listed = async (filter: Omit<Parameters<Store["threads"]>[0], "limit">) =>
      (await store.threads({ limit: 20, ...filter })).map(({ title }) => title);

    expect(await listed({ installation: "github/1", status: ["queued"] })).toEqual([
      "2 queued",
      "1 queued",
      "0 queued",
    ]);
    expect(await listed({ installation: "github/12" })).toEqual(["3 completed", "3 queued"]);
    expect(await listed({ installation: "github/1", repository: "github/1/a/y", order: "oldest" })).toEqual([
      "2 queued",
      "2 completed",
    ]);
    expect(await listed({ repository: "github/1/a/x", status: ["completed"] })).toEqual([
      "1 completed",
      "0 completed",
    ]);
    expect(
      await listed({ repository: "github/1/a/x", subject: "github/1/a/x#2", status: ["queued"] }),
    ).toEqual(["1 queued"]);
    expect(await listed({ repository: "github/1/a", status: ["queued"] })).toEqual([]);
    expect(await store.threads({ installation: "github/1", limit: 2 })).toHaveLength(2);
  });

  it("lists those that stand still and were not reported as they stand, newest first", async () => {
    const { store } = rig();
    const fixture = threadFixture();
    const statuses = ["failed", "queued", "completed", "running", "paused", "cancelled"] as const;
    const records = statuses.map((status, n) =>
      threadRecord(fixture, { status, createdAt: fixtureTime + n, updatedAt: fixtureTime + n }),
    );
    for (const record of records) await store.createThread(record, fixture.nodes);
    const [failed, , completed, , paused] = records;
    if (failed === undefined || completed === undefined || paused === undefined) throw new Error("missing");
    const listed = async (limit: number) => (await store.unreported(limit)).map(({ status }) => status);

    await store.setLink(completed.id, "reported", stampOf(completed));
    await store.setLink(failed.id, "reported", stampOf({ ...failed, status: "running" }));
    await store.setLink(paused.id, "comment", stampOf(paused));

    expect(await listed(10)).toEqual(["cancelled", "paused", "failed"]);
    expect(await listed(2)).toEqual(["cancelled", "paused"]);
    expect(await store.unreported(1)).toEqual([records.at(-1)]);
  });

  it("finds threads by a prefix in any case", async () => {
    const fixture = threadFixture();
    const ids = ["01HZZZZZZZAAAAAAAAAAAAAAAA", "01HZZZZZZZBBBBBBBBBBBBBBBB"] as ThreadId[];
    for (const id of ids) await rig().store.createThread(threadRecord(fixture, { id }), fixture.nodes);

    expect(await rig().store.findThreads("o1hzzzzzzz", 10)).toEqual(ids);
    expect(await rig().store.findThreads("01HZZZZZZZB", 10)).toEqual(ids.slice(1));
    expect(await rig().store.findThreads("01HZZZZZZZ", 1)).toEqual(ids.slice(0, 1));
    await expect(rig().store.findThreads("01HZZZZ", 1)).rejects.toMatchObject({ code: "prefix-too-short" });
  });

  it("removes a thread with its links and lease, and leaves its nodes", async () => {
    const { fixture, record } = await created(rig().store);
    await rig().store.setLink(record.id, "comment", "42");
    await rig().store.lease(threadLease(record.id), "me", 60_000);

    await rig().store.removeThread(record.id);
    await rig().store.removeThread(record.id);

    expect(await rig().store.thread(record.id)).toBeUndefined();
    expect(await rig().store.link(record.id, "comment")).toBeUndefined();
    expect(await rig().store.leaseHolder(threadLease(record.id))).toBeUndefined();
    expect(await rig().store.get(fixture.start.hash)).toEqual(fixture.start);
  });
};

export const linksContract = (rig: () => Rig): void => {
  it("keeps one value for each kind", async () => {
    const { record } = await created(rig().store);

    await rig().store.setLink(record.id, "comment", "1");
    await rig().store.setLink(record.id, "branch", "uwf/issue-1");
    await rig().store.setLink(record.id, "comment", "2");

    expect(await rig().store.link(record.id, "comment")).toBe("2");
    expect(await rig().store.link(record.id, "branch")).toBe("uwf/issue-1");
    expect(await rig().store.link(record.id, "reported")).toBeUndefined();
  });

  it("finds the threads that have a link, newest first", async () => {
    const { store } = rig();
    const fixture = threadFixture();
    const records = [2, 1, 3, 4].map((age) => threadRecord(fixture, { createdAt: fixtureTime + age }));
    for (const record of records) await store.createThread(record, fixture.nodes);
    const [second, first, third, other] = records.map(({ id }) => id);
    for (const id of [second, first, third])
      await store.setLink(id as ThreadId, "pull-subject", "github/1/a/b#7");
    await store.setLink(other as ThreadId, "pull-subject", "github/1/a/b#70");
    await store.setLink(other as ThreadId, "comment", "github/1/a/b#7");

    expect(await store.linkedThreads("pull-subject", "github/1/a/b#7")).toEqual([third, second, first]);
    await store.setLink(third as ThreadId, "pull-subject", "github/1/a/b#8");
    await store.removeThread(second as ThreadId);
    expect(await store.linkedThreads("pull-subject", "github/1/a/b#7")).toEqual([first]);
    expect(await store.linkedThreads("commit", "github/1/a/b#7")).toEqual([]);
  });

  it("finds threads by a value of whatever length, and as a whole", async () => {
    const { store } = rig();
    const { record } = await created(store);
    const long = Array.from({ length: 2_000 }, (_, n) => `é${n}'`).join("");
    await store.setLink(record.id, "call", long);

    expect(await store.linkedThreads("call", long)).toEqual([record.id]);
    expect(await store.linkedThreads("call", `${long}.`)).toEqual([]);
    expect(await store.linkedThreads("call", long.slice(0, -1))).toEqual([]);
  });

  it("links nothing to a thread that is gone", async () => {
    const linking = rig().store.setLink(newThreadId(), "comment", "1");

    await expect(linking).rejects.toMatchObject({ code: "thread-missing" });
  });
};
