import { chmod, mkdtemp, readlink, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { AppError, messageOf } from "../../../base/errors.ts";
import { exists } from "../../directories.ts";
import type { Mount, Sandbox } from "../sandbox.ts";
import { doesNotHold, unavailable } from "../unavailable.ts";
import { factsOf } from "./facts.ts";
import { NAMESPACES, probeScript } from "./probe.ts";
import { type Expected, weaknessesOf } from "./weaknesses.ts";

const CHECK_MS = 20_000;
const SCRATCH = "/uwf-check";

export type SelfTest = {
  run: Sandbox["run"];
  owner: Sandbox["owner"];
  /** What a thread's commands work on; a test of the machine alone has none. */
  mounts: readonly Mount[];
  /** Directories of the host that have to be empty inside, and the names in them that lead to something shown. */
  hidden: readonly { path: string; names: readonly string[] }[];
  expected: Omit<Expected, "outside" | "hidden">;
  /** What to do about a sandbox that does not hold. */
  hint: string;
};

/**
 * Runs a command that looks around, and compares what it finds with what may be there. Throws `sandbox-unavailable` that
 * names every weakness.
 */
export const selfTest = async (test: SelfTest): Promise<void> => {
  const { run, owner, mounts, hidden, expected, hint } = test;
  const folder = await mkdtemp(join(tmpdir(), "uwf-check-"));
  try {
    const canary = join(folder, "canary");
    await writeFile(canary, "visible");
    // Whoever the command is can leave its mark.
    await chmod(folder, 0o777);
    const script = probeScript({ canary, scratch: SCRATCH, hidden: hidden.map(({ path }) => path) });
    const { exitCode, output } = await run({
      argv: ["/bin/sh", "-c", script],
      cwd: "/",
      env: {},
      mounts: [...mounts, { source: folder, target: SCRATCH, writable: true }],
      timeoutMs: CHECK_MS,
      maxOutputBytes: 1_000_000,
      signal: new AbortController().signal,
    });
    const facts = factsOf(output);
    if (facts === undefined)
      throw unavailable(
        `a command in it ended with ${exitCode ?? "a time-out"}: ${output.trim().slice(-500)}`,
      );
    const writable = [...mounts.filter((mount) => mount.writable).map(({ target }) => target), SCRATCH];
    const found = [
      ...weaknessesOf(facts, {
        ...expected,
        writable: [...expected.writable, ...writable],
        outside: await outside(),
        hidden: hidden.map(({ names }) => names),
      }),
      ...(await strangeOwner(join(folder, "owner"), owner)),
    ];
    if (found.length > 0) throw doesNotHold(found, hint);
  } catch (error) {
    throw error instanceof AppError ? error : unavailable(messageOf(error), error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Elsewhere than on Linux commands run in a machine of their own, which has nothing in common with this one. */
const outside = async (): Promise<Expected["outside"]> => {
  if (process.platform !== "linux") return { namespaces: {}, hostname: hostname() };
  const links = NAMESPACES.map(async (name) => [name, await readlink(`/proc/self/ns/${name}`)] as const);
  return { namespaces: Object.fromEntries(await Promise.all(links)), hostname: hostname() };
};

/** The file that the command has made says who it is out here, whatever it is called inside. */
const strangeOwner = async (file: string, owner: Sandbox["owner"]): Promise<string[]> => {
  if (!(await exists(file))) return ["commands cannot write what they work on"];
  const { uid } = await stat(file);
  return uid === (owner?.uid ?? process.geteuid?.())
    ? []
    : [`commands have the rights of the host's user ${uid}`];
};
