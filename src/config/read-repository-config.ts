import { z } from "zod";
import { isObject } from "../base/json.ts";
import { readDocument } from "../workflow/source/document.ts";
import type { Position } from "../workflow/source/problem.ts";
import { fieldProblems, located, problemLines } from "./file-problems.ts";
import { RepositoryConfig } from "./repository-config.ts";

/** Many are kept in memory at once. */
const MAX_BYTES = 64 * 1024;

/** A name of a repository or an owner; never a step up in an address. */
const repositoryName = /^(?!\.{1,2}(?:\/|$))(?:[\w.-]{1,100}\/(?!\.{1,2}$))?[\w.-]{1,100}$/;

/** What stands in `.github/uwf.yml` or `.forgejo/uwf.yml`. */
export const RepositoryFile = RepositoryConfig.extend({
  _extends: z
    .string()
    .regex(repositoryName, "must be the name of a repository, or owner/name")
    .nullable()
    .optional()
    .describe(
      "The repository of the same owner whose file this one adds to, as name or owner/name; null: none. Without it, the organisation's.",
    ),
});

/** What one file says: only the fields that stand in it. */
export type RepositoryLayer = Partial<RepositoryConfig>;

export type ReadRepositoryFile = {
  layer: RepositoryLayer;
  /** `owner/name`; null: nothing is inherited; undefined: the file does not say. */
  extends: string | null | undefined;
  /** Where the file says so. */
  extendsAt: Position;
};

export type RepositoryFileResult =
  | { file: ReadRepositoryFile; problems: [] }
  | { file: null; problems: string[] };

/**
 * Checks the untrusted text of a repository's configuration file, which `owner` has. Each problem is a line
 * `<name>:line:column: field: what is wrong`.
 */
export const readRepositoryFile = async (
  text: string,
  { name, owner }: { name: string; owner: string },
): Promise<RepositoryFileResult> => {
  const size = Buffer.byteLength(text);
  if (size > MAX_BYTES)
    return { file: null, problems: [`${name}:1:1: has ${size} bytes; at most ${MAX_BYTES} are read`] };
  const read = await readDocument(text);
  if (!read.ok) return { file: null, problems: problemLines(name, read.problems) };
  const { positionOf } = read.document;
  const value = withoutEmptyFields(read.document.value ?? {});
  const parsed = RepositoryFile.safeParse(value);
  if (!parsed.success) {
    const problems = fieldProblems(RepositoryFile, { error: parsed.error, value });
    return { file: null, problems: problemLines(name, located(problems, positionOf)) };
  }
  const { _extends, ...config } = parsed.data;
  const inherits = typeof _extends === "string" ? fullName(_extends, owner) : _extends;
  if (typeof inherits === "string" && ownerOf(inherits) !== owner.toLowerCase()) {
    const message = `must be a repository of the same owner, ${owner}, not of ${inherits.split("/")[0]}`;
    const problems = located([{ path: ["_extends"], message }], positionOf);
    return { file: null, problems: problemLines(name, problems) };
  }
  return {
    file: {
      layer: onlyWritten(config, value),
      extends: inherits,
      extendsAt: positionOf({ path: ["_extends"], on: "value" }),
    },
    problems: [],
  };
};

const fullName = (name: string, owner: string): string => (name.includes("/") ? name : `${owner}/${name}`);

const ownerOf = (repository: string): string | undefined => repository.toLowerCase().split("/")[0];

/** A list or map whose lines are all commented out reads as null; other fields may well be null. */
const withoutEmptyFields = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([key, field]) => field !== null || mayBeNull(key)))
    : value;

const mayBeNull = (key: string): boolean => {
  const { shape } = RepositoryFile;
  const field = Object.hasOwn(shape, key) ? shape[key as keyof typeof shape] : undefined;
  return field?.safeParse(null).success ?? true;
};

/** The fields that the file has, without those that only have their defaults. */
const onlyWritten = (config: RepositoryConfig, value: unknown): RepositoryLayer =>
  Object.fromEntries(
    Object.entries(config).filter(([key]) => isObject(value) && Object.hasOwn(value, key)),
  ) as RepositoryLayer;
