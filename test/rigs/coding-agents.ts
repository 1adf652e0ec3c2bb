import { chmodSync, existsSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../agents", import.meta.url));

const programs = {
  claude: "@anthropic-ai/claude-code/bin/claude.exe",
  codex: "@openai/codex/bin/codex.js",
  gemini: "@google/gemini-cli/bundle/gemini.js",
  opencode: "opencode-linux-x64/bin/opencode",
};
export type CodingAgent = keyof typeof programs;

/** True where `npm ci` was run in test/agents. */
export const codingAgentsAreHere = (): boolean =>
  Object.values(programs).every((file) => existsSync(join(root, "node_modules", file)));

/**
 * A search path that finds the installed agents first, as people have it who installed them with their Node: the directory of
 * a Node with its npm, whose installation sandboxes show.
 */
export const pathWithAgents = (): string => {
  const bin = join(root, "bin");
  if (!existsSync(join(bin, "ready"))) {
    rmSync(bin, { recursive: true, force: true });
    mkdirSync(bin);
    linkSync(process.execPath, join(bin, "node"));
    writeFileSync(join(bin, "npm"), "#!/bin/sh\nexit 1\n");
    chmodSync(join(bin, "npm"), 0o755);
    for (const [name, file] of Object.entries(programs))
      symlinkSync(join("../node_modules", file), join(bin, name));
    writeFileSync(join(bin, "ready"), "");
  }
  return [bin, process.env.PATH ?? ""].join(delimiter);
};
