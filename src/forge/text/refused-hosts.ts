import { canBeAllowed, type Refusal } from "../../workspace/network/refusal.ts";
import { inlineCode } from "./inline-code.ts";

const SHOWN = 10;

const REASONS: Readonly<Record<Refusal["reason"], string>> = {
  "not-allowed": "",
  withheld: "not followed by this server",
  "private-address": "of a private network",
  malformed: "malformed",
  "other-host": "named another host inside",
  "no-tls": "neither TLS nor HTTP",
  "too-much": "too much data",
};

/** What the network's proxy did not let the commands of a thread reach; empty when there was nothing. */
export const refusedHosts = (refused: readonly Refusal[]): string => {
  if (refused.length === 0) return "";
  const shown = refused.slice(0, SHOWN).map(({ target, reason, count }) => {
    const notes = [REASONS[reason], count > 1 ? `${count} times` : ""].filter((note) => note !== "");
    return `${inlineCode(target)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
  });
  const more = refused.length > SHOWN ? ` and ${refused.length - SHOWN} more` : "";
  const hint = refused.some(canBeAllowed)
    ? " A host that is needed can be listed as `network` in this repository's `uwf.yml`, or by whoever serves the bot."
    : "";
  return `**Blocked.** Commands tried to reach ${shown.join(", ")}${more}.${hint}`;
};
