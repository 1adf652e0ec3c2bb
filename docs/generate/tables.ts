import type { Schema } from "./json-schemas.ts";
import { defaultOf, typeOf } from "./words.ts";

export type Row = { key: string; type: string; default: string; description: string };

/** A row for each key of a file, those inside of sections and maps below them: `limits.monthly.totalUsd`. */
export const rowsOf = (schema: Schema, prefix = ""): Row[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const key = `${prefix}${name}`;
    const required = schema.required?.includes(name) ?? false;
    const row = {
      key,
      type: typeOf(field),
      default: isSection(field) ? "" : defaultOf(field, { required }),
      description: field.description ?? "",
    };
    return [row, ...rowsBelow(field, key)];
  });

const rowsBelow = (field: Schema, key: string): Row[] => {
  if (isSection(field)) return rowsOf(field, `${key}.`);
  const values = field.additionalProperties;
  return typeof values === "object" ? rowsBelow(values, `${key}.<name>`) : [];
};

const isSection = ({ properties }: Schema): boolean => properties !== undefined;

/** A row for each variable; its default stands at the end of its description. */
export const variableRows = (schema: Schema): Row[] =>
  rowsOf(schema).map((row) => {
    const [description = "", value] = row.description.split(/ ?Default: /);
    const field = schema.properties?.[row.key] ?? {};
    return {
      ...row,
      type: variableType(row, field),
      default: value === undefined ? "" : `\`${value}\``,
      description,
    };
  });

/** Every variable is text at first; this says what it has to read as. */
const variableType = ({ key, type }: Row, { pattern = "" }: Schema): string => {
  if (key.endsWith("_URL")) return "address";
  return pattern.startsWith("^\\d") ? "whole number" : type;
};

export const table = (first: string, rows: readonly Row[]): string =>
  [
    `| ${first} | type | default | meaning |`,
    "|---|---|---|---|",
    ...rows.map(
      (row) => `| \`${row.key}\` | ${cell(row.type)} | ${cell(row.default)} | ${cell(row.description)} |`,
    ),
  ].join("\n");

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ");

/** The keys that hold no others in one table, then one for each section or map of sections. */
export const sections = (schema: Schema): string => {
  const rows = rowsOf(schema);
  const groups = Map.groupBy(rows, ({ key }) => key.split(".")[0] ?? key);
  const plain = [...groups.values()].filter((group) => group.length === 1).flat();
  const others = [...groups].filter(([, group]) => group.length > 1);
  const parts = others.map(([name, [head, ...below]]) =>
    [`### \`${name}\``, head?.description ?? "", table("key", below)].join("\n\n"),
  );
  return [table("key", plain), ...parts].join("\n\n");
};
