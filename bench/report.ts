import { readFile, writeFile } from "node:fs/promises";
import { arch, availableParallelism, platform } from "node:os";
import type { Row } from "./measurement.ts";

const BEGIN = "<!-- measured: begin -->";
const END = "<!-- measured: end -->";

const head = ["What", "uwf", "beside", "result", "goal", ""];

/** The rows as a Markdown table that reads well in a terminal too, below a line that says where they come from. */
export const tableOf = (rows: readonly Row[]): string => {
  const cells = rows.map(({ measured, uwf, beside, result, goal }) => [
    measured,
    uwf,
    beside === "" ? "–" : beside,
    result,
    goal?.text ?? "–",
    goal === null ? "" : goal.met ? "met" : "**missed**",
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [machine(), "", line(head), rule, ...cells.map(line)].join("\n");
};

const machine = (): string =>
  `Medians of one run on ${availableParallelism()} cores, ${platform()} ${arch()}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`;

/** Puts the table between the markers of a Markdown file. */
export const keepIn = async (file: URL, table: string): Promise<void> => {
  const text = await readFile(file, "utf8");
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  if (from < 0 || to < from) throw new Error(`${BEGIN} and ${END} are not in ${file.pathname}`);
  await writeFile(file, `${text.slice(0, from + BEGIN.length)}\n${table}\n${text.slice(to)}`);
};
