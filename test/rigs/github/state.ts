import { apiAs } from "./api.ts";
import { type BareRepository, createBareRepository } from "./bare-repository.ts";
import { type Emulator, INSTALLATION_ID, type RigApp, type RigUser } from "./emulator.ts";
import { ownerLogin } from "./introduce.ts";
import type { RigState } from "./rule.ts";
import { tokenBook } from "./tokens.ts";

export type RigRepository = { fullName: string; from: string; visibility: "public" | "private" };

/** Makes the repositories on disk and gathers what the proxy knows. */
export const rigState = async (
  emulator: Emulator,
  options: { root: string; repositories: readonly RigRepository[]; users: readonly RigUser[]; app: RigApp },
): Promise<RigState> => {
  const repositories = new Map<string, BareRepository>();
  for (const { fullName, from } of options.repositories)
    repositories.set(fullName, await createBareRepository(options.root, { fullName, from }));
  const owners = [...new Set([...repositories.keys()].map((fullName) => fullName.split("/")[0] ?? ""))];
  return {
    repositories,
    users: options.users,
    botLogin: `${options.app.slug}[bot]`,
    tokens: tokenBook(emulator.tokens),
    ownerApi: (fullName) => apiAs(emulator.url, emulator.tokens.get(ownerLogin(fullName))),
    installedOn: (id) => owners[id - INSTALLATION_ID] ?? "",
    visibility: (fullName) =>
      options.repositories.find((each) => each.fullName === fullName)?.visibility ?? "private",
  };
};
