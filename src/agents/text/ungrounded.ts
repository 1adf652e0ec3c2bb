import { isObject, type Json, type JsonSchema } from "../../base/json.ts";
import { showProblem } from "../../base/value-problems.ts";
import { resolveRef } from "../../workflow/json-schema/walk.ts";
import { SUSPEND } from "../../workflow/workflow.ts";
import { type SaidIn, saidIn } from "./said-in.ts";

const YES = ["true", "yes", "y", "on", "ok", "passed", "pass", "done"];
const NO = ["false", "no", "not", "n", "off", "failed", "fail", "never", "none"];
const NOTHING = ["no", "none", "nothing", "null", "empty", "not", "without"];

type Path = readonly (string | number)[];

/**
 * The values of an output that its texts do not say, one line `path: problem` each; none when everything is there.
 *
 * - A string has to stand in a text word for word, case included; white space counts as one space, and it may not be a part
 *   of a longer word. Where the schema allows only certain strings, their words have to stand there, in any case and joined
 *   by anything: `needs_changes`, "Needs changes".
 * - A number has to be written in digits, with this value: nothing is counted or reckoned.
 * - True and false, and what says that there is nothing (null, an empty string, list or object), have to stand in one line
 *   with the words of their field's name, and nearer to them than the contrary: "tests passed: yes", "no open questions".
 * - Names of fields that the schema does not have are checked as strings, items of lists one by one.
 * - A field that the schema gives one value only is no statement and is not looked for, nor is the mark of a suspension; its
 *   reason is.
 */
export const ungrounded = (
  value: unknown,
  { schema, texts }: { schema: JsonSchema; texts: readonly string[] },
): string[] => {
  const check: Check = { said: saidIn(texts), root: schema, problems: [] };
  visit(value, { path: [], name: "", schemas: [schema] }, check);
  return check.problems;
};

type Check = { said: SaidIn; root: JsonSchema; problems: string[] };
type At = { path: Path; name: string; schemas: readonly Json[] };

const visit = (value: unknown, at: At, check: Check): void => {
  const schemas = alternatives(at.schemas, check.root);
  if (isObject(value) && Object.keys(value).length > 0) {
    for (const [key, inner] of Object.entries(value)) visitField(key, inner, { ...at, schemas }, check);
    return;
  }
  if (Array.isArray(value) && value.length > 0) {
    const items = schemas.flatMap((one) => (one.items === undefined ? [] : [one.items]));
    for (const [index, item] of value.entries())
      visit(item, { path: [...at.path, index], name: at.name, schemas: items }, check);
    return;
  }
  if (!isSaid(value, { name: at.name, allowed: allowedBy(schemas) }, check.said))
    check.problems.push(showProblem({ path: at.path, message: `${shown(value)} is not in the text` }));
};

const visitField = (
  key: string,
  inner: unknown,
  { path, schemas }: { path: Path; schemas: readonly JsonSchema[] },
  check: Check,
): void => {
  if (path.length === 0 && key === "$status" && inner === SUSPEND) return;
  const declared = schemas.flatMap((one) =>
    isObject(one.properties) && Object.hasOwn(one.properties, key) ? [one.properties[key] as Json] : [],
  );
  const at: At = { path: [...path, key], name: key, schemas: declared };
  if (declared.length === 0 && !(key === "reason" && path.length === 0) && !check.said.text(key))
    check.problems.push(showProblem({ path: at.path, message: "the name of this field is not in the text" }));
  const others = declared.length > 0 ? declared : schemas.flatMap((one) => one.additionalProperties ?? []);
  visit(inner, { ...at, schemas: others }, check);
};

const isSaid = (
  value: unknown,
  { name, allowed }: { name: string; allowed: readonly Json[] | null },
  said: SaidIn,
): boolean => {
  if (allowed?.length === 1 && allowed[0] === value) return true;
  if (typeof value === "number") return said.number(value);
  if (typeof value === "boolean") return value ? said.beside(name, YES, NO) : said.beside(name, NO, YES);
  if (typeof value === "string" && value.trim() !== "")
    return said.text(value) || (allowed?.includes(value) === true && said.words(value));
  return said.beside(name, NOTHING);
};

/** The schemas that a value may have been written for, references and choices opened, each once: choices can lead to one another. */
const alternatives = (schemas: readonly Json[], root: JsonSchema): JsonSchema[] => {
  const found = new Set<JsonSchema>();
  const open = [...schemas];
  for (const schema of open) {
    if (!isObject(schema) || found.has(schema as JsonSchema)) continue;
    const one = schema as JsonSchema;
    found.add(one);
    for (const list of [one.anyOf, one.oneOf, one.allOf]) if (Array.isArray(list)) open.push(...list);
    const target = typeof one.$ref === "string" ? resolveRef(one.$ref, root) : undefined;
    if (target !== undefined) open.push(target);
  }
  return [...found];
};

/** The only values that the schemas allow; null when they leave the value open. */
const allowedBy = (schemas: readonly JsonSchema[]): readonly Json[] | null => {
  const leaves = schemas.filter(
    (one) => !("anyOf" in one || "oneOf" in one || "allOf" in one || "$ref" in one),
  );
  if (leaves.length === 0) return null;
  const values = leaves.map((one) => {
    if (one.const !== undefined) return [one.const];
    return Array.isArray(one.enum) ? one.enum : null;
  });
  // Every role may suspend: that this is not so is no choice among values.
  return values.includes(null)
    ? null
    : [...new Set(values.flatMap((some) => some ?? []))].filter((one) => one !== SUSPEND);
};

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
};
