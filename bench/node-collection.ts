import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openConnection } from "../src/store/sqlite/connection.ts";
import { markGarbage } from "../src/store/sqlite/mark.ts";
import { sqliteStore } from "../src/store/sqlite-store.ts";
import { fillWithThreads } from "./collection-threads.ts";
import { atMost, median, ms, type Row, timed } from "./measurement.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";

const NODES = 1_000_000;
const MARKS = 5;
const DAYS_AGO = 3 * 24 * 60 * 60_000;
/** How long the writer is watched while nobody collects. */
const ALONE_MS = 10_000;

const writer = fileURLToPath(new URL("collection-writer.ts", import.meta.url));

/** A million nodes in one SQLite file, of which half lead nowhere any more, are collected while another process writes. */
export const nodeCollection = (): Promise<Row[]> =>
  inTemporaryDirectory(async (root) => {
    const path = join(root, "uwf.db");
    const past = sqliteStore({ path, now: () => Date.now() - DAYS_AGO });
    const threads = await fillWithThreads(past, NODES);
    for (const [n, id] of threads.entries()) if (n % 2 === 0) await past.removeThread(id);
    await past.close();
    const mark = await marking(path);
    const { alone, beside, stall, sweepMs, collected } = await sweeping(path, mark);
    const name = `Garbage collection of ${NODES} nodes, half live`;
    const perNode = (sweepMs * 1_000) / collected;
    const figure = (measured: string, value: string, goal: Row["goal"]): Row => ({
      measured: `${name}: ${measured}`,
      uwf: value,
      beside: "",
      result: value,
      goal,
    });
    return [
      figure("mark", ms(mark), atMost(mark, 1_000, "1 s")),
      figure("each node deleted", `${perNode.toFixed(1)} µs`, atMost(perNode, 30, "30 µs")),
      {
        ...figure("longest write beside it", ms(beside), atMost(beside, 50, "50 ms")),
        beside: `alone ${ms(alone)}`,
      },
      figure("longest pause of its own process", ms(stall), atMost(stall, 50, "50 ms")),
    ];
  });

const marking = async (path: string): Promise<number> => {
  const connection = openConnection({ path, limitMs: 10_000 });
  const times: number[] = [];
  for (let n = 0; n < MARKS; n++)
    times.push(await timed(() => markGarbage(connection, { oldBefore: Date.now() })));
  connection.close();
  return median(times);
};

const sweeping = async (path: string, markMs: number) => {
  const store = sqliteStore({ path });
  const other = spawn(process.execPath, [writer, path], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(other.stdout);
  const longestWrite = async (): Promise<number> => {
    other.stdin.write("?\n");
    const [line] = (await once(lines, "line")) as [string];
    return Number(line);
  };
  await longestWrite();
  await setTimeout(ALONE_MS);
  const alone = await longestWrite();
  const stalls = watchStalls();
  const { ms: took, collected } = await store.collect({ graceMs: 0 });
  const stall = stalls.end();
  const beside = await longestWrite();
  const ended = once(other, "close");
  other.stdin.end();
  await ended;
  await store.close();
  return { alone, beside, stall, sweepMs: took - markMs, collected };
};

const TICK_MS = 2;

/** The longest time for which this process came to nothing else, in milliseconds. */
const watchStalls = (): { end(): number } => {
  let [longest, last] = [0, performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - TICK_MS);
    last = now;
  }, TICK_MS);
  return {
    end: () => {
      clearInterval(timer);
      return longest;
    },
  };
};
