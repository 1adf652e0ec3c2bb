import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How a sandbox is made weaker than it was asked to be. */
export type Weakening = {
  /** Branches of a `case` over bubblewrap's arguments, each of which may change `$args` and shift over what it has taken. */
  args?: string;
  /** Shell lines before bubblewrap is started. */
  before?: string;
  /** In place of the `nsenter` that makes the launcher an ordinary user. */
  nsenter?: string;
};

/**
 * A search path that finds this bubblewrap first: the real one, told less than the caller says. `dispose` removes it.
 */
export const weakenedBubblewrap = ({
  args = "",
  before = "",
  nsenter,
}: Weakening): { path: string; dispose(): void } => {
  const directory = mkdtempSync(join(tmpdir(), "uwf-weak-"));
  chmodSync(directory, 0o755);
  const bin = join(directory, "bin");
  mkdirSync(bin);
  const real = execFileSync("/bin/sh", ["-c", "command -v bwrap"], { encoding: "utf8" }).trim();
  const script = `#!/bin/bash
${before}
args=()
while (( $# )); do
  case "$1" in
    ${args}
    --) args+=("$@"); break ;;
    *) args+=("$1") ;;
  esac
  shift
done
exec ${real} "\${args[@]}"
`;
  writeFileSync(join(bin, "bwrap"), script, { mode: 0o755 });
  if (nsenter !== undefined) writeFileSync(join(bin, "nsenter"), nsenter, { mode: 0o755 });
  return {
    path: `${bin}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    dispose: () => rmSync(directory, { recursive: true }),
  };
};
