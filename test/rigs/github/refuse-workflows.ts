import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BareRepository } from "./bare-repository.ts";

/** git-http-backend gives hooks the name of who pushes. */
const HOOK = `#!/bin/sh
case "$REMOTE_USER" in *'[bot]') ;; *) exit 0 ;; esac
case "$3" in *[!0]*) ;; *) exit 0 ;; esac
file=$(git log --format= --name-only "$3" --not --branches -- .github/workflows | head -n 1)
test -z "$file" && exit 0
echo "refusing to allow a GitHub App to create or update workflow \\\`$file\\\` without \\\`workflows\\\` permission" >&2
exit 1
`;

/** GitHub takes changes of workflow files from no App that was not given the permission `workflows`. */
export const refuseWorkflows = async ({ directory }: BareRepository): Promise<void> => {
  const hooks = join(directory, "hooks");
  await mkdir(hooks, { recursive: true });
  await writeFile(join(hooks, "update"), HOOK, { mode: 0o755 });
};
