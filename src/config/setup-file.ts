import { stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError, configError } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import { parseConfigFile } from "./config-file.ts";
import { alreadyThere, makePrivateDirectory, unwritable, writePrivately } from "./private-file.ts";

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
    await makePrivateDirectory(root);
    for (const { path, text } of files) await writePrivately(path, { text, existing });
  } catch (error) {
    throw error instanceof AppError ? error : unwritable(root, error);
  }
  return files.map(({ path }) => path);
};

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      if (isObject(error) && error.code === "ENOENT") return false;
      throw error;
    },
  );
