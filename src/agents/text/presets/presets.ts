import type { presets as names } from "../../../store/agent-payload.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { cursorAgent } from "./cursor-agent.ts";
import { gemini } from "./gemini.ts";
import { hermes } from "./hermes.ts";
import { opencode } from "./opencode.ts";
import { plain } from "./plain.ts";
import type { Preset } from "./preset.ts";

type Name = (typeof names)[number];

const presets: Readonly<Record<Name, Preset>> = {
  claude,
  codex,
  gemini,
  opencode,
  "cursor-agent": cursorAgent,
  hermes,
};

/** The command line of a preset; null: of a program without one. */
export const presetNamed = (name: Name | null): Preset => (name === null ? plain : presets[name]);
