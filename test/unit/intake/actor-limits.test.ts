import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { requireRoom } from "../../../src/intake/actor-limits.ts";
import type { Source } from "../../../src/store/payload.ts";
import type { ThreadStatus } from "../../../src/store/store.ts";
import { PLACE, RECEIVED } from "../../fixtures/intake-parts.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const DAY = 24 * 3_600_000;
const mona: Partial<Source> = { requester: { login: "Mona", id: 1 } };
const wes: Partial<Source> = { requester: { login: "wes", id: 2 } };
const operator: Partial<Source> = { requester: null, operator: true };
const nobody: Partial<Source> = { requester: null };

let temporary: TemporaryStore;
beforeEach(() => {
  temporary = temporaryStore();
});
afterEach(() => temporary.dispose());

type Asked = { of?: Partial<Source> | null; status?: ThreadStatus; ago?: number; installation?: string };

const ask = async ({ of = mona, status = "running", ago = 0, installation = "github/17" }: Asked = {}) => {
  const source: Source | null = of && {
    forge: "github",
    repository: "acme/parser",
    defaultBranch: "main",
    issue: { number: 12, title: "It drops a line", url: null },
    requester: null,
    installationId: 17,
    ...of,
  };
  const fixture = threadFixture({ source });
  const createdAt = RECEIVED - ago;
  const record = threadRecord(fixture, { status, installation, createdAt, updatedAt: createdAt });
  await temporary.store.createThread(record, fixture.nodes);
};
const room = ({ login = "mona" as string | null, underWay = 2, startedPerDay = 3 } = {}): Promise<void> =>
  requireRoom(
    { store: temporary.store, limits: { underWay, startedPerDay }, now: RECEIVED },
    { place: PLACE, login },
  );
const [underWay, today] = [
  /^2 threads .* are under way, and 2 may be/,
  /^You have asked for 3 threads .* 3\.$/,
];

describe("what one may have under way", () => {
  it.each<[ThreadStatus]>([["queued"], ["running"], ["paused"], ["suspended"]])(
    "is as many threads as the limit says, also ones that are %s, however old",
    async (status) => {
      await ask({ status, ago: 2 * DAY });
      await expect(room()).resolves.toBeUndefined();
      await ask({ ago: 3 * DAY });

      await expect(room()).rejects.toMatchObject({
        code: "actor-busy",
        remedy: "fix-input",
        message: expect.stringMatching(underWay),
        hint: "Ask again when there is room.",
      });
    },
  );

  it("is nothing that has ended", async () => {
    await ask();
    for (const status of ["completed", "failed", "cancelled"] as const) await ask({ status, ago: DAY });

    await expect(room()).resolves.toBeUndefined();
  });

  it("is nobody else's, nor another installation's", async () => {
    await ask({ of: mona });
    for (const of of [wes, operator, nobody, null]) for (let times = 0; times < 3; times++) await ask({ of });
    for (let times = 0; times < 3; times++) await ask({ installation: "github/18" });

    await expect(room({ underWay: 8, startedPerDay: 8 })).resolves.toBeUndefined();
    await expect(room({ login: "eve", underWay: 8, startedPerDay: 8 })).resolves.toBeUndefined();
  });
});

describe("what one may begin in a day", () => {
  it("is as many threads as the limit says, whatever became of them", async () => {
    await ask({ status: "completed" });
    await ask({ status: "failed", ago: DAY - 1 });
    await expect(room()).resolves.toBeUndefined();
    await ask({ status: "cancelled" });

    await expect(room()).rejects.toMatchObject({ code: "actor-busy", message: expect.stringMatching(today) });
  });

  it("is nothing of the day before", async () => {
    for (let times = 0; times < 2; times++) await ask({ status: "completed" });
    for (let times = 0; times < 2; times++) await ask({ status: "completed", ago: DAY });
    await ask({ status: "running", ago: DAY });

    await expect(room()).resolves.toBeUndefined();
  });
});

describe("the operator", () => {
  it("counts as one person, whoever is asked for", async () => {
    await ask({ of: operator });
    for (const of of [wes, nobody, null]) await ask({ of });
    await expect(room({ login: null })).resolves.toBeUndefined();
    await ask({ of: operator });

    await expect(room({ login: null })).rejects.toThrow(underWay);
  });
});

describe("a person beside many others", () => {
  it("has room while all together are below the limits", async () => {
    await ask({ of: wes });
    await ask({ of: mona });

    await expect(room({ underWay: 3, startedPerDay: 9 })).resolves.toBeUndefined();
  });

  it("is found as far back as the greater limit asks for", async () => {
    for (let times = 0; times < 3; times++) await ask({ of: mona, status: "completed", ago: 1_000 });
    for (let times = 0; times < 3; times++) await ask({ of: wes, status: "completed" });

    await expect(room({ underWay: 1 })).rejects.toThrow(today);
  });
});
