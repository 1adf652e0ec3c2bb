import { randomUUID } from "node:crypto";
import { chmod, link, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError, configError, inputError } from "../base/errors.ts";
import { fileFailure } from "../base/file-failure.ts";
import { isObject } from "../base/json.ts";
import { parseConfigFile } from "./config-file.ts";

export type ConfigContent = {
  /** The text of `config.yaml`. */
  config: string;
  /** The text of `.env`; null: none is written. */
  env: string | null;
};

/**
 * Writes `config.yaml` and `.env` into the storage root, which only its owner may read. The text is checked first
 * (`config-invalid`). Files that are there are kept and refused (`config-exists`, fix-input) unless they are to be replaced;
 * nothing is written then. Throws `config-unwritable` (fix-config) where this user may not write. Answers the paths written.
 */
export const writeConfigFile = async (
  root: string,
  content: ConfigContent,
  { existing = "keep" }: { existing?: "keep" | "replace" } = {},
): Promise<string[]> => {
  const { problems } = parseConfigFile(content.config);
  if (problems.length > 0) throw configError("config-invalid", problems.join("\n"));
  const files = [
    ...(content.env === null ? [] : [{ path: join(root, ".env"), text: content.env }]),
    { path: join(root, "config.yaml"), text: content.config },
  ];
  try {
    if (existing === "keep") {
      for (const { path } of files) if (await exists(path)) throw alreadyThere(path);
    }
    await mkdir(root, { recursive: true, mode: 0o700 });
    await chmod(root, 0o700);
    for (const { path, text } of files) await writePrivately(path, { text, existing });
  } catch (error) {
    throw error instanceof AppError ? error : unwritable(root, error);
  }
  return files.map(({ path }) => path);
};

const unwritable = (root: string, error: unknown): AppError =>
  configError(
    "config-unwritable",
    `the storage root ${root} cannot be written: ${fileFailure(error, "write")}`,
    "Set UWF_STORAGE_ROOT to a directory that this user may write.",
  );

/** Whole or not at all, and never readable by others, not even for a moment. */
const writePrivately = async (
  path: string,
  { text, existing }: { text: string; existing: "keep" | "replace" },
): Promise<void> => {
  const fresh = `${path}.${randomUUID()}`;
  try {
    await writeFile(fresh, text.endsWith("\n") ? text : `${text}\n`, { mode: 0o600, flag: "wx" });
    if (existing === "replace") await rename(fresh, path);
    else await link(fresh, path);
  } catch (error) {
    throw isObject(error) && error.code === "EEXIST" ? alreadyThere(path) : error;
  } finally {
    await rm(fresh, { force: true });
  }
};

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      if (isObject(error) && error.code === "ENOENT") return false;
      throw error;
    },
  );

const alreadyThere = (path: string) =>
  inputError("config-exists", `${path} is already there`, "Edit it, or ask for it to be replaced.");
