import { refusedRanges } from "../../src/workspace/network/address-ranges.ts";
import { presets } from "../../src/workspace/network/presets.ts";
import { filledTemplate } from "./template.ts";

const NOTE =
  "<!-- Made by `npm run docs` from src/workspace/network and from docs/generate/network.md: change those. -->";

/** The page on what commands reach. */
export const networkPage = (root: URL): string => {
  const text = filledTemplate(root, "docs/generate/network.md", { presets: presetTable, ranges: rangeTable });
  return `${NOTE}\n\n${text}`;
};

const presetTable = (): string =>
  [
    "| preset | for | hosts | setup commands have it where there is |",
    "|---|---|---|---|",
    ...Object.entries(presets).map(
      ([name, preset]) =>
        `| \`${name}\`${preset.isCodeHost ? " (the operator's alone)" : ""} | ${preset.for} | ${codes(preset.hosts)} | ${codes(preset.files)} |`,
    ),
  ].join("\n");

const rangeTable = (): string =>
  [
    "| addresses | what they are |",
    "|---|---|",
    ...refusedRanges.map(({ network, prefix, name }) => `| \`${network}/${prefix}\` | ${name} |`),
    "| all of IPv6 but `2000::/3` | not global unicast (RFC 4291): mapped IPv4, NAT64, ULA, link-local, multicast and the rest |",
  ].join("\n");

const codes = (all: readonly string[]): string => all.map((each) => `\`${each}\``).join(", ");
