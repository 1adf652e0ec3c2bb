import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { RepositoryConfig } from "../../../../src/config/repository-config.ts";
import { commandNames, commandTable } from "../../../../src/forge/text/command-table.ts";
import { parseComment } from "../../../../src/intake/commands/parse.ts";

const page = readFileSync(new URL("../../../../docs/commands.md", import.meta.url), "utf8");
const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];

it("shows settings that a repository can have", () => {
  expect(RepositoryConfig.parse(parse(example)).commands).toEqual({ docs: "write-docs", approve: false });
});

it("shows command lines that are read as it says", () => {
  const said = [...page.matchAll(/`(\/[a-z]+[^`<[]*)`/g)].map(([, line]) => line ?? "");
  const lines = [...said, "/solve add `--verbose` "].filter((line) => !["/sovle", "/lgtm"].includes(line));

  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines)
    expect([line, parseComment(line, { mentions: [], own: {} }).kind]).toEqual([line, "command"]);
});

it("shows what each command is called with", () => {
  for (const name of commandNames) expect(page).toContain(`| \`${commandTable[name].usage}\` |`);
});
