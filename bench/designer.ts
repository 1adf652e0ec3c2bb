import { randomUUID } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { stateManager } from "../src/designer/state-manager.ts";
import { postgresStore } from "../src/store/postgres-store.ts";
import { sqliteStore } from "../src/store/sqlite-store.ts";
import type { Store } from "../src/store/store.ts";
import { designerRig } from "../test/rigs/designer.ts";
import { designerClient } from "../test/rigs/designer-client.ts";
import { designerGrpc } from "../test/rigs/designer-grpc.ts";
import { designerHttp } from "../test/rigs/designer-http.ts";
import { triageStory, triageWords } from "../test/rigs/designer-story.ts";
import { atMost, inTurn, ms, type Row, slowestOfTwenty, timed } from "./measurement.ts";
import { withPostgres } from "./postgres.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";

const OFTEN = { rounds: 200, warmUp: 20 };
/** Of a long conversation. */
const ENTRIES = 60;
const WORDS = "Sort the new issues of this repository. ".repeat(12);

/** Saving the whole state of a conversation, as after every response. */
export const designerOnSqlite = (): Promise<Row[]> =>
  inTemporaryDirectory((root) =>
    saved(sqliteStore({ path: join(root, "uwf.db") }), { root, place: "", limitMs: 5 }),
  );

export const designerOnPostgres = (): Promise<Row[]> =>
  withPostgres((server) =>
    inTemporaryDirectory(async (root) => {
      const store = await postgresStore({ url: await server.database() });
      return saved(store, { root, place: " on PostgreSQL", limitMs: 20 });
    }),
  );

const saved = async (
  store: Store,
  { root, place, limitMs }: { root: string; place: string; limitMs: number },
): Promise<Row[]> => {
  const states = stateManager(store);
  const userId = randomUUID();
  const { id } = await states.createSession({ userId, action: "create", workflowId: null });
  const conversations = Array.from({ length: ENTRIES }, (_, at) => ({
    ...{ role: at % 2 === 0 ? ("user" as const) : ("assistant" as const), text: WORDS },
    ...{ timestamp: Date.now(), metadata: { input_tokens: "3000", output_tokens: "200" } },
  }));
  const state = { ...(await states.getState(id, userId)), conversations };
  const file = await open(join(root, "beside"), "w");
  const took = await inTurn(
    {
      save: () => timed(() => states.saveState(id, state, userId)),
      write: () => timed(() => keep(file, JSON.stringify(state))),
    },
    OFTEN,
  );
  await file.close();
  await store.close();
  const write = slowestOfTwenty(took.write);
  return [
    rowOf(`The slowest of 20 saves of a conversation of ${ENTRIES} entries${place}`, {
      took: slowestOfTwenty(took.save),
      beside: `its text to the disk ${ms(write)}`,
      limitMs,
    }),
  ];
};

const keep = async (file: FileHandle, text: string): Promise<void> => {
  await file.write(text);
  await file.datasync();
};

/** From what a person says to the first of the answer's bytes, which come before the model is asked. */
export const designerFirstByte = async (): Promise<Row[]> => {
  await using http = await designerHttp(triageStory);
  const headers = { "content-type": "application/json" };
  const first = async (): Promise<number> => {
    const body = JSON.stringify({ session_id: await http.open(), user_message: triageWords[0] });
    const begun = performance.now();
    const response = await http.request("/api/v1/chat/stream", { method: "POST", headers, body });
    const reader = response.body?.getReader();
    if (reader === undefined) throw new Error("the answer has no body");
    await reader.read();
    const taken = performance.now() - begun;
    while (!(await reader.read()).done);
    return taken;
  };
  const took = slowestOfTwenty((await inTurn({ first }, OFTEN)).first);
  return [rowOf("The slowest of 20 first bytes of the designer's stream of events", { took, limitMs: 50 })];
};

/** A new client of its own each time, until it may call. */
export const designerConnect = async (): Promise<Row[]> => {
  const rig = await designerRig(triageStory);
  const service = await designerGrpc(rig);
  const connect = async (): Promise<number> => {
    const client = designerClient(service.address);
    const ready = Promise.withResolvers<void>();
    const taken = await timed(() => {
      client.client.waitForReady(Date.now() + 10_000, (error) =>
        error ? ready.reject(error) : ready.resolve(),
      );
      return ready.promise;
    });
    client.close();
    return taken;
  };
  const took = slowestOfTwenty((await inTurn({ connect }, OFTEN)).connect);
  await service.close();
  await rig.dispose();
  return [rowOf("The slowest of 20 connections to the designer's gRPC service", { took, limitMs: 50 })];
};

const rowOf = (
  measured: string,
  { took, beside = "", limitMs }: { took: number; beside?: string; limitMs: number },
): Row => ({
  measured,
  uwf: ms(took),
  beside,
  result: ms(took),
  goal: atMost(took, limitMs, ms(limitMs)),
});
