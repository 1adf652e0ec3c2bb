import type { Api } from "./api.ts";
import type { BareRepository } from "./bare-repository.ts";
import type { RigUser } from "./emulator.ts";
import type { RigRequest, RigResponse } from "./http.ts";
import type { Tokens } from "./tokens.ts";

/** What rules know of the rig. */
export type RigState = {
  repositories: ReadonlyMap<string, BareRepository>;
  users: readonly RigUser[];
  botLogin: string;
  tokens: Tokens;
  /** The emulator as the owner of a repository's organisation. */
  ownerApi(fullName: string): Api;
  /** The owner of the installation with this id. */
  installedOn(installationId: number): string;
  visibility(fullName: string): "public" | "private";
};

export type RuleContext = RigState & {
  request: RigRequest;
  /** Named groups of the rule's path. */
  params: Readonly<Record<string, string>>;
  /** Asks the emulator. */
  forward(): Promise<RigResponse>;
};

/** Where the emulator lacks something or differs from GitHub. The first rule that matches answers. */
export type Rule = {
  method: string;
  path: RegExp;
  answer(context: RuleContext): Promise<RigResponse>;
};

/** `/repos/owner/name` and what follows, with `fullName` and the named groups of `rest`. */
export const inRepository = (rest: string): RegExp => new RegExp(`^/repos/(?<fullName>[^/]+/[^/]+)${rest}$`);
