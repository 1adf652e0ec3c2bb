import { at } from "./api.ts";
import { INSTALLATION_ID } from "./emulator.ts";
import { json, type RigRequest, type RigResponse } from "./http.ts";
import { isJwt, type Tokens, tokenOf } from "./tokens.ts";

type Status = "active" | "suspended" | "removed";

/** Where the App is installed: on each owner of a repository, on all its repositories, until somebody changes that. */
export type Installations = {
  idOf(owner: string): number;
  ownerOf(id: number): string;
  status(owner: string): Status;
  set(owner: string, status: Status): void;
  /** Takes a repository from the installation, or gives it back. */
  select(fullName: string, isSelected: boolean): void;
  /** True where the App works: it hears of nothing else. */
  covers(fullName: string): boolean;
};

export const installationsOn = (owners: readonly string[]): Installations => {
  const statuses = new Map<string, Status>();
  const taken = new Set<string>();
  const status = (owner: string): Status => statuses.get(owner) ?? "active";
  return {
    idOf: (owner) => INSTALLATION_ID + owners.indexOf(owner),
    ownerOf: (id) => owners[id - INSTALLATION_ID] ?? "",
    status,
    set: (owner, next) => {
      statuses.set(owner, next);
    },
    select: (fullName, isSelected) => {
      if (isSelected) taken.delete(fullName);
      else taken.add(fullName);
    },
    covers: (fullName) => status(ownerIn(fullName)) === "active" && !taken.has(fullName),
  };
};

/** What GitHub answers an App that is no longer, or not now, installed there; null where it may go on. */
export const uninstalled = (
  { installations, tokens }: { installations: Installations; tokens: Tokens },
  request: RigRequest,
): RigResponse | null => {
  const token = tokenOf(request);
  if (token === null) return null;
  const repository = /^\/repos\/([^/]+\/[^/]+)/.exec(request.path)?.[1] ?? null;
  if (isJwt(token)) {
    const id = /^\/app\/installations\/(\d+)/.exec(request.path)?.[1];
    const owner = id === undefined ? null : installations.ownerOf(Number(id));
    if (repository !== null && !installations.covers(repository)) return notFound();
    return owner === null ? null : closed(installations.status(owner), notFound);
  }
  const holder = tokens.holder(token);
  if (holder === null || "login" in holder) return null;
  const badCredentials = () => json(401, { message: "Bad credentials" });
  const refused = closed(installations.status(holder.owner), badCredentials);
  if (refused !== null) return refused;
  return repository === null || installations.covers(repository) ? null : notFound();
};

const closed = (status: Status, whenRemoved: () => RigResponse): RigResponse | null => {
  if (status === "removed") return whenRemoved();
  return status === "suspended" ? json(403, { message: "This installation has been suspended" }) : null;
};

const notFound = (): RigResponse => json(404, { message: "Not Found" });

const ownerIn = (fullName: string): string => fullName.split("/")[0] ?? "";

/** The part of a repository that installation webhooks show. */
export const briefRepository = (repository: unknown): object => ({
  id: at(repository, "id"),
  node_id: at(repository, "node_id"),
  name: at(repository, "name"),
  full_name: at(repository, "full_name"),
  private: at(repository, "private"),
});
