import { execFile } from "node:child_process";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { readinessOf } from "../../../src/server/readiness.ts";
import { createServer, listen } from "../../../src/server/server.ts";
import { composeService, dockerfile, podOf } from "../../fixtures/deployment.ts";

let server: FastifyInstance;
let port: number;
let isReady: boolean;

beforeEach(async () => {
  isReady = true;
  const store = async () => {
    if (!isReady) throw new Error("gone");
  };
  const readiness = readinessOf({ store }, { log: silentLog, validMs: 0 });
  server = await createServer({ log: pino({ level: "silent" }), readiness });
  await listen(server, { host: "127.0.0.1", port: 0 });
  port = (server.server.address() as AddressInfo).port;
});
afterEach(() => server.close());

/** How a check of a container ends here, where the server has another port. */
const run = ([program = "", ...args]: readonly string[]): Promise<number> =>
  new Promise((done) => {
    const here = args.map((arg) => arg.replace("127.0.0.1:3000", `127.0.0.1:${port}`));
    const file = program === "node" ? process.execPath : program;
    execFile(file, here, { env: { PORT: String(port) } }, (error) => done(Number(error?.code ?? 0)));
  });

const imageCheck = (): string[] => {
  const rest = dockerfile().find(({ word }) => word === "HEALTHCHECK")?.rest ?? "";
  return JSON.parse(rest.slice(rest.indexOf("[")));
};

it("the image's check says whether the process lives, ready or not", async () => {
  isReady = false;
  const alive = await run(imageCheck());
  await server.close();
  const gone = await run(imageCheck());

  expect({ alive, gone }).toEqual({ alive: 0, gone: 1 });
});

it.each(["bot", "worker-1", "worker-2"])("compose asks whether %s is ready", async (name) => {
  const [kind, ...check] = composeService(name).healthcheck.test;

  const ready = await run(check);
  isReady = false;
  const notReady = await run(check);

  expect({ kind, ready, notReady }).toEqual({ kind: "CMD", ready: 0, notReady: 1 });
});

it.each(["uwf-bot", "uwf-worker"])("Kubernetes' probes of %s ask what is served", async (name) => {
  const { container } = podOf(name);
  const ask = async ({ httpGet }: { httpGet: { path: string } }) =>
    (await fetch(`http://127.0.0.1:${port}${httpGet.path}`)).status;
  isReady = false;

  expect(await ask(container.startupProbe)).toBe(200);
  expect(await ask(container.livenessProbe)).toBe(200);
  expect(await ask(container.readinessProbe)).toBe(503);
  expect(container.readinessProbe.httpGet.port).toBe(container.ports[0]?.name);
});
