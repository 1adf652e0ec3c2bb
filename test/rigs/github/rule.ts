import type { Api } from "./api.ts";
import type { BareRepository } from "./bare-repository.ts";
import type { Emit } from "./emission.ts";
import type { RigApp, RigUser } from "./emulator.ts";
import type { RigRequest, RigResponse } from "./http.ts";
import type { Installations } from "./installations.ts";
import type { Tokens } from "./tokens.ts";

/** What rules know of the rig. */
export type RigState = {
  repositories: ReadonlyMap<string, BareRepository>;
  users: readonly RigUser[];
  app: RigApp;
  botLogin: string;
  tokens: Tokens;
  installations: Installations;
  /** The emulator as the owner of a repository's organisation. */
  ownerApi(fullName: string): Api;
  visibility(fullName: string): "public" | "private";
  /** False: the organisation's plan knows no draft pull requests. */
  hasDrafts(fullName: string): boolean;
  /** What GitHub shows of an account; null when there is none. */
  account(login: string): Promise<Account | null>;
  /** `owner/name#number` of pull requests whose branch is in a fork → the fork, null when that is gone. */
  forks: Map<string, string | null>;
  /** `owner/name#number` → when and as what it was merged. */
  merged: Map<string, { at: string; commit: string }>;
  emit: Emit;
};

export type Account = Record<string, unknown> & { login: string; id: number; type: string };

export type RuleContext = RigState & {
  request: RigRequest;
  /** The rig's own address. */
  origin: string;
  /** Named groups of the rule's path. */
  params: Readonly<Record<string, string>>;
  /** To be called after branches moved in git. */
  pushed(fullName: string, by: string): Promise<void>;
  /** Asks the emulator; with another body, when one is given. */
  forward(body?: unknown): Promise<RigResponse>;
};

/** Where the emulator lacks something or differs from GitHub. The first rule that matches answers. */
export type Rule = {
  method: string;
  path: RegExp;
  answer(context: RuleContext): Promise<RigResponse>;
};

/** `/repos/owner/name` and what follows, with `fullName` and the named groups of `rest`. */
export const inRepository = (rest: string): RegExp => new RegExp(`^/repos/(?<fullName>[^/]+/[^/]+)${rest}$`);
