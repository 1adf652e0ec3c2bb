import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where everything is kept: `UWF_STORAGE_ROOT`, or `.uwf` in the home directory. */
export const storageRootOf = (env: Readonly<Record<string, string | undefined>>): string => {
  const home = env.HOME?.trim() || homedir();
  const root = env.UWF_STORAGE_ROOT?.trim() || join(home, ".uwf");
  return root === "~" || root.startsWith("~/") ? join(home, root.slice(1)) : resolve(root);
};
