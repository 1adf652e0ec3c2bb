import { AppError } from "./errors.ts";
import { isObject } from "./json.ts";

const FULL = new Set(["ENOSPC", "EDQUOT"]);

/** A failed write of Node's, or what it was caused by, that found no room, as `disk-full` (retry); others as they are. */
export const withDiskFull = (error: unknown): unknown => {
  for (let cause = error; isObject(cause); cause = cause.cause)
    if (typeof cause.code === "string" && FULL.has(cause.code)) return diskFull(error);
  return error;
};

/** Waited out: room may be made, and another machine may have some. */
const diskFull = (cause: unknown): AppError =>
  new AppError("No space is left where uwf keeps its files.", {
    code: "disk-full",
    remedy: "retry",
    hint: "Free some space on the device of the storage root.",
    cause,
  });
