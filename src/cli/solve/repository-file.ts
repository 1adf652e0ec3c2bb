import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inputError, messageOf } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";

const run = promisify(execFile);
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a file of the branch that a local repository has checked out: as it is committed, through no filter.
 * undefined when it is not there.
 */
export const repositoryFile =
  (repository: string) =>
  async (path: string): Promise<Uint8Array | undefined> => {
    const git = ["-C", repository, "cat-file"];
    const object = `HEAD:${path}`;
    try {
      await run("git", [...git, "-e", object]);
    } catch (error) {
      if (isObject(error) && typeof error.code === "number") return undefined;
      throw unreadable(path, error);
    }
    try {
      const { stdout } = await run("git", [...git, "blob", object], {
        encoding: "buffer",
        maxBuffer: MAX_BYTES,
      });
      return stdout;
    } catch (error) {
      throw unreadable(path, error);
    }
  };

const unreadable = (path: string, error: unknown) =>
  inputError("workflow-unknown", `cannot read ${path} of the repository: ${messageOf(error)}`);
