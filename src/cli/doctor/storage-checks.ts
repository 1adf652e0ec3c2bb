import { constants, existsSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fileFailure } from "../../base/file-failure.ts";
import { isObject } from "../../base/json.ts";
import { storePlaceOf } from "../../config/store-place.ts";
import type { Context } from "../context.ts";
import { shellWord } from "../shell-word.ts";
import { readStore } from "../store-session.ts";
import { type Check, failed, ok } from "./check.ts";

const name = "storage";

/** The storage root, or where it would be made: writable, and nobody else's to read. */
export const checkStorageRoot = async (root: string): Promise<Check> => {
  try {
    const found = await stat(root);
    if (!found.isDirectory())
      return {
        name,
        state: "missing",
        detail: `${root} is not a directory`,
        hint: "Set UWF_STORAGE_ROOT to one.",
      };
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    const open = (found.mode & 0o077) !== 0;
    return {
      name,
      state: open ? "missing" : "ok",
      detail: open ? `${root} can be read by others` : root,
      hint: open ? `Run \`chmod 700 ${shellWord(root)}\`.` : null,
    };
  } catch (error) {
    if (isObject(error) && error.code === "ENOENT") return checkPlaceFor(root);
    return {
      name,
      state: "missing",
      detail: `${root} cannot be used: ${fileFailure(error, "write")}`,
      hint: "Make it readable and writable for this user, or set UWF_STORAGE_ROOT to another directory.",
    };
  }
};

const checkPlaceFor = async (root: string): Promise<Check> => {
  const place = await nearestThere(dirname(root));
  try {
    await access(place, constants.W_OK | constants.X_OK);
    return { name, state: "ok", detail: `${root}, to be made at the first use`, hint: null };
  } catch {
    const hint = "Set UWF_STORAGE_ROOT to a directory that this user may write.";
    return { name, state: "missing", detail: `${root} cannot be made: ${place} is not writable`, hint };
  }
};

const nearestThere = async (path: string): Promise<string> => {
  const there = await stat(path).then(
    () => true,
    () => false,
  );
  return there || dirname(path) === path ? path : nearestThere(dirname(path));
};

export const checkStore = async (context: Context, root: string): Promise<Check> => {
  try {
    const { databaseUrl } = await storePlaceOf(context.env);
    const there = existsSync(root);
    await readStore(context, (store) => store.threads({ limit: 1 }));
    if (databaseUrl !== null) return ok("store", "PostgreSQL answers");
    return ok("store", there ? "opens" : "to be made at the first use");
  } catch (error) {
    return failed("store", error instanceof Error ? error : new Error(`${root}: ${String(error)}`));
  }
};
