import { at } from "./api.ts";
import { basicPassword } from "./git-http.ts";
import type { RigRequest } from "./http.ts";

/** An installation token, as it was asked for and granted. */
export type MintedToken = {
  token: string;
  /** The account on which the App is installed. */
  owner: string;
  /** Names without the owner; null: every repository of the owner's. */
  repositories: readonly string[] | null;
  permissions: Readonly<Record<string, string>>;
};

export type Tokens = {
  readonly minted: readonly MintedToken[];
  /** Notes the answer to a request for a token. */
  add(owner: string, answer: unknown): void;
  /** Who a token belongs to; null when nobody knows it. */
  holder(token: string): { login: string } | MintedToken | null;
  revoke(token: string): void;
};

export const tokenBook = (people: ReadonlyMap<string, string>): Tokens => {
  const minted: MintedToken[] = [];
  const revoked = new Set<string>();
  const logins = new Map([...people].map(([login, token]) => [token, login]));
  return {
    minted,
    add: (owner, answer) => {
      const repositories = at(answer, "repositories");
      minted.push({
        token: String(at(answer, "token")),
        owner,
        repositories: Array.isArray(repositories)
          ? repositories.map((each) => String(at(each, "name")))
          : null,
        permissions: Object.fromEntries(
          Object.entries(at(answer, "permissions") ?? {}).map(([name, level]) => [name, String(level)]),
        ),
      });
    },
    holder: (token) => {
      if (revoked.has(token)) return null;
      const login = logins.get(token);
      if (login !== undefined) return { login };
      return minted.find((each) => each.token === token) ?? null;
    },
    revoke: (token) => {
      revoked.add(token);
    },
  };
};

/** The token of an API request or of git; null without one. */
export const tokenOf = ({ headers }: RigRequest): string | null => {
  const { authorization } = headers;
  return /^(?:bearer|token)\s+(\S+)$/i.exec(authorization ?? "")?.[1] ?? basicPassword(authorization);
};

/** An App's own token, which the emulator checks itself. */
export const isJwt = (token: string): boolean => token.startsWith("eyJ");

/** Whether a token may use git on a repository. */
export const allowsGit = (
  token: MintedToken,
  { fullName, access }: { fullName: string; access: "read" | "write" },
): boolean => {
  const [owner, name = ""] = fullName.split("/");
  const { contents } = token.permissions;
  const inReach = token.owner === owner && (token.repositories === null || token.repositories.includes(name));
  return inReach && (contents === "write" || (access === "read" && contents === "read"));
};
