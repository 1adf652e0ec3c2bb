import { spawnSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";

const PROGRAM = "chromium";

/** True where Chromium is installed. */
export const chromiumIsHere = (): boolean => spawnSync(PROGRAM, ["--version"]).status === 0;

/** A Chromium without a window. A sandbox of its own it cannot have for root. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: spawnSync("which", [PROGRAM], { encoding: "utf8" }).stdout.trim(),
    args: process.geteuid?.() === 0 ? ["--no-sandbox"] : [],
  });
