import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The clock of processes with this environment; it can be set while they run. */
export type Clock = { env: Readonly<Record<string, string>>; shift(ms: number): void };

const preload = fileURLToPath(new URL("./shifted-clock.ts", import.meta.url));

export const newClock = (directory: string, name: string): Clock => {
  const file = join(directory, `clock-${name}`);
  const shift = (ms: number): void => {
    writeFileSync(`${file}.new`, String(ms));
    renameSync(`${file}.new`, file);
  };
  shift(0);
  return { env: { NODE_OPTIONS: `--import=${preload}`, SHIFTED_CLOCK: file }, shift };
};
