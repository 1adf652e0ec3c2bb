import { displayWidth, truncate } from "./terminal-text.ts";

export type Column = {
  title: string;
  align?: "right";
  /** This one gives way when the terminal is too narrow. */
  flexible?: true;
  paint?: (cell: string) => string;
};

const gap = "  ";
const narrowest = 8;

/** Aligned rows under their titles, cut to `width` columns (0: never cut). */
export const renderTable = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, head }: { width: number; head: (title: string) => string },
): string => {
  const widths = widthsOf(columns, rows, width);
  const line = (cells: readonly string[], paint: (column: Column, cell: string) => string): string =>
    columns
      .map((column, index) => {
        const cell = truncate(cells[index] ?? "", widths[index] ?? 0);
        const spaces = " ".repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(cell)));
        const painted = cell === "" ? "" : paint(column, cell);
        if (column.align === "right") return spaces + painted;
        return index === columns.length - 1 ? painted : painted + spaces;
      })
      .join(gap)
      .trimEnd();
  const titles = line(
    columns.map(({ title }) => title),
    (_, cell) => head(cell),
  );
  const lines = rows.map((row) => line(row, (column, cell) => column.paint?.(cell) ?? cell));
  return `${[titles, ...lines].join("\n")}\n`;
};

const widthsOf = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): number[] => {
  const widths = columns.map(({ title }, index) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[index] ?? ""))),
  );
  const total = widths.reduce((sum, one) => sum + one, gap.length * (columns.length - 1));
  const flexible = columns.findIndex((column) => column.flexible);
  const own = widths[flexible];
  if (width > 0 && total > width && own !== undefined)
    widths[flexible] = Math.min(own, Math.max(narrowest, own - (total - width)));
  return widths;
};
