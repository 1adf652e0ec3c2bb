import { isObject } from "../../../src/base/json.ts";
import { type Api, apiAs, at } from "./api.ts";
import { type BareRepository, createBareRepository } from "./bare-repository.ts";
import { emitter } from "./emit.ts";
import type { Emulator, RigApp, RigUser } from "./emulator.ts";
import { installationsOn } from "./installations.ts";
import { ownerLogin } from "./introduce.ts";
import { refuseWorkflows } from "./refuse-workflows.ts";
import type { Account, RigState } from "./rule.ts";
import { tokenBook } from "./tokens.ts";
import type { WebhookRelay } from "./webhooks.ts";

export type RigRepository = {
  fullName: string;
  from: string;
  visibility: "public" | "private";
  drafts: boolean;
};

/** Makes the repositories on disk and gathers what the proxy knows. */
export const rigState = async (
  emulator: Emulator,
  options: {
    root: string;
    repositories: readonly RigRepository[];
    users: readonly RigUser[];
    app: RigApp;
    relay: WebhookRelay;
  },
): Promise<RigState> => {
  const repositories = new Map<string, BareRepository>();
  for (const { fullName, from } of options.repositories) {
    const repository = await createBareRepository(options.root, { fullName, from });
    if (options.app.permissions.workflows !== "write") await refuseWorkflows(repository);
    repositories.set(fullName, repository);
  }
  const owners = [...new Set([...repositories.keys()].map((fullName) => fullName.split("/")[0] ?? ""))];
  const find = (fullName: string) => options.repositories.find((each) => each.fullName === fullName);
  const ownerApi = (fullName: string) => apiAs(emulator.url, emulator.tokens.get(ownerLogin(fullName)));
  const state = {
    repositories,
    users: options.users,
    app: options.app,
    botLogin: `${options.app.slug}[bot]`,
    tokens: tokenBook(emulator.tokens),
    installations: installationsOn(owners),
    ownerApi,
    visibility: (fullName: string) => find(fullName)?.visibility ?? "private",
    hasDrafts: (fullName: string) => find(fullName)?.drafts ?? true,
    account: accountsOf(ownerApi([...repositories.keys()][0] ?? "")),
    forks: new Map<string, string | null>(),
    merged: new Map<string, { at: string; commit: string }>(),
  };
  return { ...state, emit: emitter(options.relay, state) };
};

const accountsOf = (api: Api): RigState["account"] => {
  const known = new Map<string, Account>();
  return async (login) => {
    const before = known.get(login);
    if (before !== undefined) return before;
    const found = await api("GET", `/users/${encodeURIComponent(login)}`).catch(() => null);
    if (!isObject(found)) return null;
    const account = {
      ...found,
      login: String(at(found, "login")),
      id: Number(at(found, "id")),
      type: String(at(found, "type")),
    };
    known.set(login, account);
    return account;
  };
};
