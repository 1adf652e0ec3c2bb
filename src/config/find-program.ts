import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** uwf's own agents, which are on the search path of every program that it runs. */
const OWN_PROGRAMS = ["uwf-builtin"];

/** True when this user can run the program: an absolute path, or a name in one of the directories of `searchPath`. */
export const isProgram = (command: string, searchPath: string): boolean => {
  if (command.startsWith("/")) return isExecutable(command);
  if (OWN_PROGRAMS.includes(command)) return true;
  return searchPath
    .split(delimiter)
    .some((directory) => directory !== "" && isExecutable(join(directory, command)));
};

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not for this user: the same to whoever wants to run it.
    return false;
  }
};
