import { expect, it } from "vitest";
import { requireCheckable } from "../../../src/workspace/base-tree.ts";
import type { EngineGit } from "../../../src/workspace/engine-git.ts";
import { repositoryLimits } from "../../../src/workspace/repository-limits.ts";

const FILES = 200_000;
const listing = Buffer.from(
  Array.from(
    { length: FILES },
    (_, index) => `100644 blob ${"a".repeat(40)}       7\tsrc/${index % 100}/lib/${index}.ts\0`,
  ).join(""),
);
const git: EngineGit = {
  bytes: async () => listing,
  run: async () => ({ exitCode: 1, stdout: Buffer.alloc(0), stderr: "" }),
  text: async () => "",
};
const mirror = {
  repository: "huge",
  directory: "/mirror",
  key: "mirror",
  objects: "/mirror/objects",
  remote: { url: "/huge", token: null },
};

it("looks at the files of a huge repository while the process goes on with everything else", async () => {
  let others = 0;
  let isDone = false;
  const somebodyElse = (): void => {
    others++;
    if (!isDone) setImmediate(somebodyElse);
  };
  setImmediate(somebodyElse);

  const missing = await requireCheckable(mirror, { commit: "c", git, limits: repositoryLimits });
  isDone = true;

  expect(missing).toEqual({ submodules: [], largeFiles: false });
  expect(others).toBeGreaterThan(5);
});
