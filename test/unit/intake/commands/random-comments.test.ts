import fc from "fast-check";
import { expect, it } from "vitest";
import { commandNames } from "../../../../src/forge/text/command-table.ts";
import { mayHoldCommand, parseComment } from "../../../../src/intake/commands/parse.ts";

const rules = { mentions: ["uwf[bot]", "uwf"], own: { lint: "lint", deploy: false as const } };

const piece = fc.constantFrom(
  ...commandNames.map((name) => `/${name}`),
  ...[
    "/",
    "//",
    "/solvent",
    "@uwf",
    "@uwf[bot]",
    "@somebody",
    "--model",
    "--budget",
    "--workflow",
    "=",
    "3",
    "-3",
    "NaN",
  ],
  ...[
    " ",
    "\t",
    "\n",
    "\r\n",
    "\u2028",
    "\u200b",
    "\u202e",
    ">",
    "```",
    "<!--",
    "-->",
    "    ",
    "`",
    "e\u0301",
    "🙂",
    "\ud83d",
  ],
);
const comment = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary", maxLength: 300 }),
);

it("reads any comment: a command, a problem in words, or nothing", () => {
  fc.assert(
    fc.property(comment, (body) => {
      const parsed = parseComment(body, rules);

      if (parsed.kind === "command") {
        expect(commandNames).toContain(parsed.command.name);
        const { budgetUsd } = parsed.command.options;
        if (budgetUsd !== undefined) expect(budgetUsd).toBeGreaterThan(0);
      }
      if (parsed.kind === "problem") expect(parsed.problem).toMatch(/\S/);
      // What is thrown away before anybody is asked holds none.
      if (!mayHoldCommand(body)) expect(parsed.kind).toBe("nothing");
    }),
    { numRuns: 2_000 },
  );
});

it("finds no command inside of other words, quotations and code", () => {
  const word = fc.constantFrom(...commandNames);
  const around = fc.constantFrom(
    (name: string) => `see /${name}`,
    (name: string) => `> /${name}`,
    (name: string) => `\`\`\`\n/${name}\n\`\`\``,
    (name: string) => `/${name}x`,
    (name: string) => `a/${name}`,
    (name: string) => `<!-- /${name} -->`,
  );

  fc.assert(
    fc.property(word, around, (name, put) => {
      expect(["nothing", "problem"]).toContain(parseComment(put(name), rules).kind);
    }),
  );
});
