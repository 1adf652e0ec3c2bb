import { readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isMissing } from "../directories.ts";
import type { HostSystem } from "./host-system.ts";

/** Settings and data of programs that were installed by hand. */
const PRIVATE = ["/usr/etc", "/usr/home", "/usr/local/etc", "/usr/local/var"];

/**
 * Which of the `wanted` directories, and of this user's home, a sandbox would show though it should not: those that
 * are there, and lie in a directory of the host that is shown. A home that is itself a system's directory stays. With them go settings and data
 * that were put below `/usr` by hand.
 */
export const hiddenIn = (system: HostSystem, wanted: readonly string[]): string[] => {
  const shown = [...system.readOnly, ...system.toolchains];
  const isShown = (path: string): boolean =>
    shown.some((root) => path === root || path.startsWith(`${root}/`));
  const isSystem = (path: string): boolean =>
    [...shown, ...system.path.split(":")].some((each) => `${each}/`.startsWith(`${path}/`));
  const home = realOf(homedir()).filter((path) => !isSystem(path));
  const filled = PRIVATE.flatMap(realOf).filter((path) => readdirSync(path).length > 0);
  return [...new Set([...wanted.flatMap(realOf), ...home, ...filled])].filter(isShown);
};

/** Without links, as bubblewrap finds it; empty when it is not there (yet). */
const realOf = (path: string): string[] => {
  try {
    return [realpathSync(path)];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};
