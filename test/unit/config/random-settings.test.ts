import fc from "fast-check";
import { expect, it } from "vitest";
import { readRepositoryFile } from "../../../src/config/read-repository-config.ts";
import { RepositoryConfig } from "../../../src/config/repository-config.ts";

const field = fc.oneof(
  fc.constantFrom(...Object.keys(RepositoryConfig.shape), "_extends", "constructor", "unknown"),
  fc.string({ maxLength: 10 }),
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    "uwf/",
    "solve-issue",
    "always",
    ["make"],
    { uwf: "solve-issue" },
    { lint: false },
    5,
    "acme/base",
  ),
);
const file = fc.dictionary(field, value, { maxKeys: 5 }).map((fields) => JSON.stringify(fields));
const text = fc.oneof(
  file,
  fc.string({ maxLength: 200 }),
  fc
    .tuple(file, fc.nat(100), fc.string({ maxLength: 3 }))
    .map(([whole, at, other]) => whole.slice(0, at) + other + whole.slice(at)),
);

it("reads any text as settings that hold, or says in which line it is wrong", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (source) => {
      const { file: read, problems } = await readRepositoryFile(source, { name: "f", owner: "acme" });

      if (read === null) {
        expect(problems.length).toBeGreaterThan(0);
        for (const problem of problems) expect(problem).toMatch(/^f:\d+:\d+: /);
      } else {
        expect(RepositoryConfig.parse(read.layer)).toMatchObject(read.layer);
        if (typeof read.extends === "string") expect(read.extends).toMatch(/^acme\/[\w.-]+$/i);
      }
    }),
    { numRuns: 400 },
  );
});
