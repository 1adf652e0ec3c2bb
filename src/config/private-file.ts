import { randomUUID } from "node:crypto";
import { chmod, link, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { type AppError, configError, inputError } from "../base/errors.ts";
import { fileFailure } from "../base/file-failure.ts";
import { isObject } from "../base/json.ts";

/** Makes the storage root where there is none; only its owner may read it. */
export const makePrivateDirectory = async (root: string): Promise<void> => {
  await mkdir(root, { recursive: true, mode: 0o700 });
  await chmod(root, 0o700);
};

/** Whole or not at all, and never readable by others, not even for a moment. Throws `config-exists` (fix-input). */
export const writePrivately = async (
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

export const alreadyThere = (path: string): AppError =>
  inputError("config-exists", `${path} is already there`, "Edit it, or ask for it to be replaced.");

export const unwritable = (root: string, error: unknown): AppError =>
  configError(
    "config-unwritable",
    `the storage root ${root} cannot be written: ${fileFailure(error, "write")}`,
    "Set UWF_STORAGE_ROOT to a directory that this user may write.",
  );
