import { once } from "node:events";
import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { diskWatch } from "../../../src/workspace/sandbox/disk-watch.ts";
import { temporaryDirectory } from "../../rigs/temporary-directory.ts";

it("ends a command whose directory is gone", async () => {
  const { path } = await temporaryDirectory("uwf-disk-watch-");
  const watched = diskWatch({ bytes: 1, files: 1 }).begin([path]);

  await rm(path, { recursive: true });
  await once(watched.limit, "abort");
  watched.end();

  expect(watched.limit.reason).toContain("its use of the disk cannot be counted: ENOENT");
});
