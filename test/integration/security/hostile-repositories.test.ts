import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import {
  commitRequest,
  shell,
  unexamined,
  type WorkspaceRig,
  workspaceRig,
} from "../../fixtures/workspace-rig.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";
import { FUNCTIONS, type HostileRepository, hostileRepositories, IDENTITY } from "./hostile/repositories.ts";

const MEGABYTE = 1024 ** 2;
const LIMITS = {
  packBytes: 8 * MEGABYTE,
  objectBytes: 48 * MEGABYTE,
  files: 5_000,
  fileBytes: 64 * MEGABYTE,
  refs: 1_000,
};

describe("a repository that somebody made to do harm", () => {
  let rig: WorkspaceRig;
  let program: string;
  let proof: string;
  beforeAll(() => {
    rig = workspaceRig({ "a.txt": "a\n" }, { limits: LIMITS });
    proof = join(rig.source.directory, "proof");
    program = join(rig.source.directory, "program");
    writeFileSync(program, `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
  });
  afterAll(() => rig.dispose());

  const made = ({ make }: HostileRepository): string => {
    const folder = join(rig.source.directory, "upstream", newThreadId());
    const repository = join(folder, "repository");
    mkdirSync(repository, { recursive: true });
    const options = { cwd: repository, env: { PATH: process.env.PATH ?? "", HOME: folder, P: program } };
    const begin = "git init -q -b main; echo a > a.txt; git add .; git commit -qm begin";
    const script = ["set -e", IDENTITY, begin, FUNCTIONS, make].join("\n");
    execFileSync("bash", ["-c", script], options);
    rmSync(proof, { force: true });
    return repository;
  };
  /** Asks, opens, works and publishes, as a thread does. */
  const workedOn = async (repository: string, command: string): Promise<string> => {
    const signal = new AbortController().signal;
    const { commit: base } = await rig.workspaces.fetch({ repository }, { branch: null, signal });
    const thread = newThreadId();
    const workspace = await rig.workspaces.open(thread, { repository, base, captured: null });
    try {
      const { output } = await shell(workspace, command);
      await shell(workspace, "echo changed > a.txt");
      const captured = await rig.workspaces.capture(thread);
      if (captured === null) throw new Error("the thread has no repository");
      const { files } = await rig.store.load("workspace", captured);
      expect(files.map(({ path }) => path)).toEqual(["a.txt"]);
      const remote = { url: repository, token: null };
      await rig.workspaces.push(thread, captured, commitRequest, remote, unexamined);
      return output;
    } finally {
      await rig.workspaces.close(thread);
    }
  };
  /** What a fetch that was cut off would leave. */
  const leftOver = (): string[] =>
    readdirSync(join(rig.root, "mirrors"), { recursive: true, encoding: "utf8" }).filter((path) =>
      /(^|\/)tmp_/.test(path),
    );

  it.for(hostileRepositories.map((repository) => [repository.name, repository] as const))(
    "with %s",
    async ([, repository], context) => {
      countAttempts(context, "hostile repositories");
      const path = made(repository);
      const before = rig.warnings.length;
      const outcome = await workedOn(path, repository.shows?.[0] ?? "true").catch((error: unknown) => error);

      if (repository.refused === undefined) expect(outcome).toBe(repository.shows?.[1]);
      else
        expect(outcome).toMatchObject({
          code: repository.refused,
          remedy: "fix-input",
          message: expect.stringMatching(repository.says ?? /./),
        });
      expect(existsSync(proof)).toBe(false);
      expect(leftOver()).toEqual([]);
      expect(await rig.workspaces.threads()).toEqual([]);
      const warned = rig.warnings.slice(before).map(({ message }) => message);
      if (repository.warns !== undefined) expect(warned.join("\n")).toMatch(repository.warns);
    },
  );
});
