import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { giveTo } from "../src/workspace/checkout.ts";
import { bubblewrapSandbox } from "../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { noSandbox } from "../src/workspace/sandbox/no-sandbox.ts";
import type { Sandbox } from "../src/workspace/sandbox/sandbox.ts";
import { alternate, atMost, ms, type Row, timed } from "./measurement.ts";

const ROUNDS = 60;
const MORE_MS = 8;

/** One command that does nothing, in the sandbox and as a plain process of the same runner. */
export const sandboxedCommand = async (): Promise<Row[]> => {
  const directory = await mkdtemp(join(tmpdir(), "uwf-bench-"));
  const boxed = bubblewrapSandbox({ memoryMb: 4096, processes: 512, diskMb: 16_384, files: 1_000_000 });
  const plain = noSandbox();
  try {
    await giveTo(boxed.owner, directory);
    const run = (sandbox: Sandbox) => () =>
      timed(() => {
        const target = sandbox.insidePath(directory);
        return sandbox.run({
          argv: ["/bin/true"],
          cwd: target,
          env: {},
          mounts: [{ source: directory, target, writable: true }],
          timeoutMs: 60_000,
          maxOutputBytes: 1_000,
          signal: new AbortController().signal,
        });
      });
    const medians = await alternate({ boxed: run(boxed), plain: run(plain) }, { rounds: ROUNDS, warmUp: 5 });
    const held = await alternate({ check: () => timed(() => boxed.check()) }, { rounds: 10 });
    const more = medians.boxed - medians.plain;
    return [
      {
        measured: "A command in the sandbox",
        uwf: ms(medians.boxed),
        beside: `a plain one ${ms(medians.plain)}`,
        result: `${ms(more)} more`,
        goal: atMost(more, MORE_MS, `${ms(MORE_MS)} more`),
      },
      {
        measured: "The sandbox's self-test, before a thread's first command",
        uwf: ms(held.check),
        beside: "",
        result: ms(held.check),
        goal: null,
      },
    ];
  } finally {
    await rm(directory, { recursive: true });
  }
};
