import type { Forge } from "../forge/forge.ts";

/** Who among these people may write to the repository, asked of the forge. Bots may not. */
export const writersAmong = async (
  forge: Pick<Forge, "permission">,
  logins: Iterable<string>,
): Promise<ReadonlySet<string>> => {
  const writers = new Set<string>();
  for (const login of new Set(logins)) {
    if (login === "" || login.endsWith("[bot]")) continue;
    const permission = await forge.permission(login);
    if (permission === "write" || permission === "admin") writers.add(login);
  }
  return writers;
};
