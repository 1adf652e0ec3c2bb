import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { bugError } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import { makePrivateDirectory, unwritable, writePrivately } from "./private-file.ts";

/**
 * Writes variables into `.env` in the storage root, which only its owner may read: whole or not at all, and other lines stay.
 * Answers the file's path. Throws `config-unwritable` (fix-config).
 */
export const addToEnvFile = async (
  root: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> => {
  const path = join(root, ".env");
  try {
    await makePrivateDirectory(root);
    const text = envWith(await readEnvFile(root), variables);
    await writePrivately(path, { text, existing: "replace" });
  } catch (error) {
    throw isObject(error) && typeof error.code === "string" && typeof error.syscall === "string"
      ? unwritable(root, error)
      : error;
  }
  return path;
};

/** Makes sure that `.env` could be written now. Throws `config-unwritable` (fix-config). */
export const checkEnvFile = async (root: string): Promise<void> => {
  const probe = join(root, `.env.${randomUUID()}`);
  try {
    await makePrivateDirectory(root);
    await readEnvFile(root);
    await writeFile(probe, "", { mode: 0o600, flag: "wx" });
    await rm(probe);
  } catch (error) {
    throw unwritable(root, error);
  }
};

/** The text of `.env` with the variables, each on a line of its own, instead of lines that set them. */
export const envWith = (before: string, variables: Readonly<Record<string, string>>): string => {
  const names = Object.keys(variables);
  const others = before
    .split("\n")
    .filter((line) => names.every((name) => parseEnv(line)[name] === undefined));
  const kept = others.join("\n").trimEnd();
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(name, value)}`);
  const text = `${[...(kept === "" ? [] : [kept]), ...lines].join("\n")}\n`;
  const read = parseEnv(text);
  if (names.some((name) => read[name] !== variables[name]))
    throw bugError(`${names.join(", ")} could not be read back from .env`);
  return text;
};

/** The reader knows three quotes, and line ends as \n between double ones only; it knows no escaped quote. */
const quoted = (name: string, value: string): string => {
  if (/^[\w./:+=@%-]+$/.test(value)) return value;
  if (!/["\\]/.test(value)) return `"${value.replaceAll("\n", "\\n")}"`;
  const quote = ["'", "`"].find((each) => !value.includes(each));
  if (quote === undefined) throw bugError(`the value of ${name} cannot stand in .env`);
  return `${quote}${value}${quote}`;
};

/** The text of `.env` in the storage root; empty when there is none. */
export const readEnvFile = async (root: string): Promise<string> => {
  try {
    return await readFile(join(root, ".env"), "utf8");
  } catch (error) {
    if (isObject(error) && error.code === "ENOENT") return "";
    throw error;
  }
};
