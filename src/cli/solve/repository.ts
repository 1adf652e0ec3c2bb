import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { inputError } from "../../base/errors.ts";
import { checkedUrl } from "../../workspace/repository-url.ts";
import type { Context } from "../context.ts";

/**
 * The repository that a person names: the absolute path of the one that holds a directory, or an address that git
 * may be given. Throws `repository-invalid`.
 */
export const repositoryHere = (text: string, { cwd }: Pick<Context, "cwd">): string => {
  const path = resolve(cwd, text);
  if (existsSync(path)) return rootAbove(path);
  if (/^[A-Za-z][\w+.-]*:|^[^/\s]+@[^/\s]+:/.test(text)) return checkedUrl(text);
  throw inputError(
    "repository-invalid",
    `there is no directory ${path}`,
    "Give --repo the path or the address of a git repository.",
  );
};

const rootAbove = (path: string): string => {
  const start = realpathSync(path);
  for (let place = start; ; place = dirname(place)) {
    if (isRepository(place)) return place;
    if (dirname(place) === place) break;
  }
  const hint = "Make it one with `git init` and a first commit, or name another with --repo.";
  throw inputError("repository-invalid", `${start} is not in a git repository`, hint);
};

const isRepository = (place: string): boolean =>
  existsSync(join(place, ".git")) ||
  (existsSync(join(place, "HEAD")) &&
    isDirectory(join(place, "objects")) &&
    isDirectory(join(place, "refs")));

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
