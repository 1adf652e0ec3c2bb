/**
 * A process that writes to a SQLite store every few milliseconds while nodes are collected: `node collection-writer.ts <file>`.
 * For each line that it is sent it answers how long the longest write since the last one took, in milliseconds.
 */
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { makeNode } from "../src/store/node.ts";
import { sqliteStore } from "../src/store/sqlite-store.ts";
import { timed } from "./measurement.ts";

const EVERY_MS = 5;

const store = sqliteStore({ path: process.argv[2] ?? "" });
let longest = 0;
let isOver = false;
createInterface(process.stdin)
  .on("line", () => {
    process.stdout.write(`${longest}\n`);
    longest = 0;
  })
  .on("close", () => {
    isOver = true;
  });
for (let n = 0; !isOver; n++) {
  const node = makeNode("text", { encoding: "utf8", text: `written ${process.pid} ${n}` });
  longest = Math.max(longest, await timed(() => store.put([node])));
  await setTimeout(EVERY_MS);
}
await store.close();
