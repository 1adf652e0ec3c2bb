import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { parseForgejoEvent } from "../../../src/forge/forgejo/forgejo-events.ts";
import { parseGithubEvent } from "../../../src/forge/github/github-events.ts";
import { signatureChecker } from "../../../src/forge/webhook-signature.ts";
import { handleDelivery } from "../../../src/intake/handle-delivery.ts";
import { receiver } from "../../../src/intake/receive.ts";
import { createServer, listen } from "../../../src/server/server.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import { intakeParts } from "../../fixtures/intake-parts.ts";
import { sendRaw } from "../../fixtures/raw-http.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";
import {
  bytesOf,
  FORGEJO_SECRET,
  forgeries,
  genuine,
  type Request,
  SECRET,
  signed,
  spoofs,
} from "../../fixtures/webhook-forgeries.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

let temporary: TemporaryStore;
let server: FastifyInstance;
let address: string;
let forge: FakeForge;
/** Ids of the deliveries that were kept, and of those that call a worker. */
let kept: string[];
let called: string[];

beforeEach(async () => {
  temporary = temporaryStore();
  forge = fakeForge();
  kept = [];
  called = [];
  const { store } = temporary;
  const receive = (kind: "github" | "forgejo") =>
    receiver({
      store: {
        pendingOf: store.pendingOf,
        addDeliveries: (deliveries) => {
          kept.push(...deliveries.map(({ id }) => id));
          return store.addDeliveries(deliveries);
        },
      },
      queue: {
        enqueue: async (job) => {
          if (job.kind === "delivery") called.push(job.id);
        },
      },
      forge: kind,
      read: (delivery) =>
        kind === "github" ? parseGithubEvent(delivery) : parseForgejoEvent(delivery, null),
      now: () => Date.now(),
      log: silentLog,
    });
  server = await createServer({
    log: pino({ level: "silent" }),
    receivers: {
      github: { verify: signatureChecker(SECRET, { prefix: "sha256=" }), receive: receive("github") },
      forgejo: { verify: signatureChecker(FORGEJO_SECRET, { prefix: "" }), receive: receive("forgejo") },
    },
  });
  address = await listen(server, { host: "127.0.0.1", port: 0 });
});

afterEach(async () => {
  await server.close();
  await temporary.dispose();
});

const send = (request: Request) => sendRaw(address, bytesOf(request));

/** Does what was kept and calls for work; answers the threads that there are then. */
const started = async () => {
  const parts = intakeParts({ store: temporary.store, forge });
  forge.permission = async (login) => (login === "mona" ? "write" : "read");
  for (const id of called) await handleDelivery(parts, id, AbortSignal.timeout(10_000));
  return temporary.store.threads({ limit: 10 });
};

describe("a genuine delivery", () => {
  it("is kept, and starts work", async () => {
    expect(await send({})).toEqual([202]);

    expect(kept).toEqual(["github-d-1"]);
    expect(await started()).toHaveLength(1);
  });
});

describe.each(Object.entries(forgeries))("forged %s", (_kind, requests) => {
  it.for(requests)("$name: nothing is kept", async (request, context) => {
    countAttempts(context, "webhook forgeries");

    const statuses = await send(request);

    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect(kept).toEqual([]);
  });
});

describe("a signed delivery of somebody who may not ask, or that says what it is not", () => {
  it.for(spoofs)("$name: nothing starts", async (request, context) => {
    countAttempts(context, "webhook forgeries");

    await send(request);

    expect(await started()).toEqual([]);
  });
});

describe("a delivery that comes again", () => {
  it("starts nothing twice, however often it comes", async (context) => {
    countAttempts(context, "webhook forgeries", 3);

    for (let times = 0; times < 4; times++) expect(await send({})).toEqual([202]);

    expect(called).toEqual(["github-d-1"]);
    expect(await started()).toHaveLength(1);
  });

  it("starts nothing twice with another id on an old body, while the work is there", async (context) => {
    countAttempts(context, "webhook forgeries", 2);

    for (const id of ["d-1", "d-2", "d-3"]) await send({ headers: { "X-GitHub-Delivery": id } });

    expect(called).toHaveLength(3);
    expect(await started()).toHaveLength(1);
  });
});

describe("several requests on one connection", () => {
  it("a forgery behind a genuine one is not kept", async (context) => {
    countAttempts(context, "webhook forgeries");
    const open = { Connection: "keep-alive" };
    const forged = { ...open, "X-GitHub-Delivery": "d-2", "X-Hub-Signature-256": signed("{}") };

    const statuses = await sendRaw(
      address,
      Buffer.concat([bytesOf({ headers: open }), bytesOf({ headers: forged })]),
    );

    expect(statuses).toEqual([202, 401]);
    expect(kept).toEqual(["github-d-1"]);
  });

  it.for([
    ["Content-Length", "Transfer-Encoding"],
    ["Transfer-Encoding", "Content-Length"],
  ])("one smuggled behind %s and %s is not kept", async ([first, second], context) => {
    countAttempts(context, "webhook forgeries");
    const values: Record<string, string> = { "Content-Length": "4", "Transfer-Encoding": "chunked" };
    const inner = bytesOf({ headers: { "X-GitHub-Delivery": "d-2" } });
    const head = `POST /api/github/webhooks HTTP/1.1\r\nHost: x\r\n${first}: ${values[first ?? ""]}\r\n${second}: ${values[second ?? ""]}\r\n\r\n`;

    const statuses = await sendRaw(address, Buffer.concat([Buffer.from(`${head}0\r\n\r\n`), inner]));

    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect(kept).toEqual([]);
  });

  it("one hidden in the body of another is a part of that body", async (context) => {
    countAttempts(context, "webhook forgeries");
    const inner = bytesOf({ headers: { "X-GitHub-Delivery": "d-2" } });

    await send({ body: inner, headers: { "X-Hub-Signature-256": signed("{}") } });

    expect(kept).toEqual([]);
  });
});

it("a body that dawdles keeps nobody else from being heard", async (context) => {
  countAttempts(context, "webhook forgeries", 20);
  const partial = bytesOf({
    headers: { "Content-Length": String(genuine.length + 1), Connection: "keep-alive" },
  });
  const slow = Array.from({ length: 20 }, () => sendRaw(address, partial, { quietMs: 1_000 }));

  expect(await send({})).toEqual([202]);

  expect((await Promise.all(slow)).flat()).toEqual([]);
  expect(kept).toEqual(["github-d-1"]);
});

it.for([
  ["empty, as without a secret", ""],
  ["GitHub's", signed(genuine, FORGEJO_SECRET)],
  ["with GitHub's secret", signed(genuine).slice("sha256=".length)],
])("Forgejo's signature %s is refused", async ([, value], context) => {
  countAttempts(context, "webhook forgeries");
  const headers = {
    "X-Forgejo-Delivery": "f-1",
    "X-Forgejo-Event": "issues",
    "X-Forgejo-Signature": value ?? "",
  };

  const statuses = await send({ path: "/api/forgejo/webhooks", headers });

  expect(statuses.every((status) => status >= 400)).toBe(true);
  expect(kept).toEqual([]);
});
