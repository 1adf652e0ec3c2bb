import { domainToASCII } from "node:url";
import { didYouMean } from "../../base/nearest.ts";
import { readHost, readTarget } from "./host-name.ts";
import { presetNamed, presets } from "./presets.ts";

/** One kind of host that may be reached. */
export type Rule = {
  /** A host's name; of every name below it when `below` is true, and then not of itself. */
  name: string;
  below: boolean;
  ports: readonly number[];
};

export type ReadEntry =
  | { kind: "hosts"; rules: readonly Rule[] }
  | { kind: "preset"; isCodeHost: boolean; rules: readonly Rule[] }
  | { kind: "wrong"; problem: string };

const USUAL = [443, 80];

/**
 * Reads an entry of a `network` list: the name of a preset, `example.org` (ports 443 and 80), `example.org:8443`, or
 * `*.example.org` for the names below it. Names beyond ASCII are taken as browsers take them (IDNA).
 */
export const readEntry = (entry: string): ReadEntry => {
  const preset = presetNamed(entry);
  if (preset !== undefined) {
    const rules = preset.hosts.flatMap((host) => ruleOf(host) ?? []);
    return { kind: "preset", isCodeHost: preset.isCodeHost ?? false, rules };
  }
  if (!/[.:*]/.test(entry))
    return wrong(`is no preset${didYouMean(entry, Object.keys(presets))}, and no host's full name`);
  const rule = ruleOf(entry);
  return rule === null ? wrong(problemOf(entry)) : { kind: "hosts", rules: [rule] };
};

/** Reads `host:port`, exactly one host and port, for lists of what may be private. Null when it is none. */
export const readInternal = (entry: string) => (/:\d+$/.test(entry) ? readTarget(entry, null) : null);

const ruleOf = (entry: string): Rule | null => {
  const below = entry.startsWith("*.");
  const [, host = "", port] = /^(.*?)(?::(\d+))?$/.exec(below ? entry.slice(2) : entry) ?? [];
  const name = readHost(/^[\x20-\x7e]*$/.test(host) ? host : domainToASCII(host));
  const only = port === undefined ? null : readTarget(`a:${port}`, null);
  if (name?.kind !== "name" || !name.text.includes(".") || (port !== undefined && only === null)) return null;
  return { name: name.text, below, ports: only === null ? USUAL : [only.port] };
};

const problemOf = (entry: string): string => {
  if (entry.includes("/")) return "must be a host alone, without https:// and without a path";
  if (entry.includes("*")) return "must have * only at its start, before a name of two parts: *.example.org";
  const host = entry.replace(/:\d+$/, "");
  if (readHost(host)?.kind === "address" || /^\[|^[\d.]+$|::/.test(entry))
    return "must be a host's name, not an address";
  return "must be a preset or a host, such as npm, example.org, *.example.org or example.org:8443";
};

const wrong = (problem: string): ReadEntry => ({ kind: "wrong", problem });
