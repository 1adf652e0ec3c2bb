import { openSync } from "node:fs";
import { PassThrough } from "node:stream";
import { messageOf } from "../../base/errors.ts";
import { killGroup } from "./leftovers.ts";
import { runProcess } from "./run-process.ts";
import { unavailable } from "./unavailable.ts";

const PREPARE_MS = 20_000;

/** Mounts what the table on file descriptor 4 says, tells its process, and waits until that is known. */
const SCRIPT = "set -e; mount --all --fstab /proc/self/fd/4; echo $$; read -r known";

export type NewNamespace = {
  /** An empty directory is mounted here, with the sources below it by their index. */
  place: string;
  sources: readonly string[];
  /** Where `unshare` and `mount` are looked for. */
  path: string;
};

/**
 * A descriptor of a new mount namespace, which is there as long as somebody has it open. It needs root. Throws
 * `sandbox-unavailable` with what the programs say.
 */
export const openMountNamespace = async ({ place, sources, path }: NewNamespace): Promise<number> => {
  const known = new PassThrough();
  let opened: number | undefined;
  let failure: unknown;
  const open = (pid: string): void => {
    try {
      opened = openSync(`/proc/${pid.trim()}/ns/mnt`, "r");
    } catch (error) {
      failure = error;
    }
    known.end();
  };
  const finished = await runProcess(
    {
      argv: ["unshare", "--mount", "--propagation", "slave", "--", "/bin/sh", "-c", SCRIPT],
      env: { PATH: path },
      cwd: "/",
      inputs: [{ kind: "nameless", text: tableOf(place, sources) }],
      withheld: [],
      onStatus: () => undefined,
      stop: killGroup,
      sweep: async (pid) => killGroup(pid),
    },
    {
      timeoutMs: PREPARE_MS,
      maxOutputBytes: 1_000,
      signal: new AbortController().signal,
      stdin: known,
      onOutput: open,
    },
  ).catch((error: unknown) => {
    throw unavailable(messageOf(error), error);
  });
  if (opened !== undefined) return opened;
  throw unavailable(failure === undefined ? finished.launcherErrors : messageOf(failure), failure);
};

/** In the form of fstab(5): one `mount` for all, because each program that is started takes a millisecond or two. */
const tableOf = (place: string, sources: readonly string[]): string =>
  [
    `uwf ${place} tmpfs mode=755,size=1m,nosuid,nodev`,
    ...sources.map((source, index) => `${inTable(source)} ${place}/${index} none bind,X-mount.mkdir`),
    "",
  ].join("\n");

/** In octal what would end the field or the line. */
const inTable = (path: string): string =>
  path.replace(/[\s\\]/g, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""),
  );
