import { once } from "node:events";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { diskWatch } from "../../../src/workspace/sandbox/disk-watch.ts";
import { temporaryDirectory } from "../../rigs/temporary-directory.ts";

it("ends a command whose directory is gone", async () => {
  const { path } = await temporaryDirectory("uwf-disk-watch-");
  const watched = await diskWatch({ bytes: 1, files: 1 }).begin([path]);

  await rm(path, { recursive: true });
  await once(watched.limit, "abort");
  watched.end();

  expect(watched.limit.reason).toContain("its use of the disk cannot be counted: ENOENT");
});

it("lets a command remove what the one before it wrote after it had been counted, whatever others write", async () => {
  const full = await temporaryDirectory("uwf-disk-watch-");
  const others = await temporaryDirectory("uwf-disk-watch-");
  const watch = diskWatch({ bytes: 1024 ** 3, files: 2_000 });
  try {
    const filling = await watch.begin([full.path]);
    let written = 0;
    for (; !filling.limit.aborted; written += 1_000) {
      write(full.path, { from: written, count: 1_000 });
      await setTimeout(100);
    }
    write(full.path, { from: written, count: 1_500 });
    filling.end();

    const clearing = await watch.begin([full.path]);
    write(others.path, { from: 0, count: 1_500 });
    await setTimeout(200);
    for (const name of readdirSync(full.path)) rmSync(join(full.path, name));
    await setTimeout(200);
    clearing.end();

    expect(filling.limit.reason).toMatch(/the workspace has \d+ files and may have 2000/);
    expect(clearing.limit.reason).toBeUndefined();
  } finally {
    await full.remove();
    await others.remove();
  }
});

const write = (path: string, { from, count }: { from: number; count: number }): void => {
  for (let i = from; i < from + count; i++) writeFileSync(join(path, `${i}`), "");
};
