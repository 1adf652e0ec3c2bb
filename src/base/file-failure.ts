import { messageOf } from "./errors.ts";
import { isObject } from "./json.ts";

/** In words for people, why a file or directory could not be read or written. */
export const fileFailure = (error: unknown, wanted: "read" | "write"): string => {
  switch (isObject(error) ? error.code : undefined) {
    case "ENOENT":
      return "there is no such file";
    case "EISDIR":
      return "it is a directory";
    case "ENOTDIR":
    case "EEXIST":
      return "a file stands where a directory has to be";
    case "EACCES":
    case "EPERM":
      return `this user may not ${wanted} it`;
    case "EROFS":
      return "its file system is read-only";
    case "ENOSPC":
      return "the disk is full";
    default:
      return messageOf(error);
  }
};
