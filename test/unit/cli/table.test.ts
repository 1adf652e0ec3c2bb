import { expect, it } from "vitest";
import { renderFields, valueLines } from "../../../src/cli/fields.ts";
import { renderTable } from "../../../src/cli/table.ts";
import { displayWidth } from "../../../src/cli/terminal-text.ts";

const columns = [
  { title: "ID" },
  { title: "TITLE", flexible: true as const },
  { title: "N", align: "right" as const },
];
const head = (title: string) => title;

it("aligns columns by what characters take on a screen", () => {
  const table = renderTable(
    columns,
    [
      ["a", "支持编码", "1"],
      ["bb", "x", "10"],
    ],
    { width: 0, head },
  );

  expect(table).toBe(["ID  TITLE      N", "a   支持编码   1", "bb  x         10", ""].join("\n"));
});

it("cuts the flexible column where the terminal is narrow", () => {
  const table = renderTable(columns, [["a", "a title that is much too long", "1"]], { width: 25, head });

  expect(table.split("\n").every((line) => displayWidth(line) <= 25)).toBe(true);
  expect(table).toContain("a title that is m…");
});

it("leaves eight columns of it, however narrow the terminal is", () => {
  const table = renderTable(columns, [["a", "a title that is much too long", "1"]], { width: 5, head });

  expect(table).toContain("a   a title…");
});

it("paints cells without counting the colour", () => {
  const painted = [{ title: "ID", paint: (cell: string) => `<${cell}>` }, { title: "T" }];

  expect(renderTable(painted, [["a", "b"]], { width: 0, head })).toBe("ID  T\n<a>   b\n");
});

it("stands further lines of a value under its first", () => {
  expect(
    renderFields(
      [
        ["a", "1\n2"],
        ["long", "3"],
      ],
      { name: (text) => text },
    ),
  ).toBe("a     1\n      2\nlong  3\n");
});

it.each([
  [{ status: "done", list: [1, 2], none: null }, ["status: done", "list: 1; 2"]],
  ["text", ["text"]],
  [[1], ["1"]],
  [{}, ["{}"]],
])("shows %j as lines", (value, lines) => {
  expect(valueLines(value, (text) => text)).toEqual(lines);
});
