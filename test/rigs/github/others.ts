import { isObject } from "../../../src/base/json.ts";
import { at } from "./api.ts";
import {
  type ForeignChecks,
  type ForeignStatus,
  type ToldCheck,
  tellChecks,
} from "./checks/foreign-checks.ts";
import type { RigUser } from "./emulator.ts";
import { briefRepository } from "./installations.ts";
import { INTRODUCED_AS } from "./introduce.ts";
import type { RigState } from "./rule.ts";
import type { WebhookRelay } from "./webhooks.ts";

/** What happens around the bot that people do not do in an issue: continuous integration, permissions, installations. */
export type Others = {
  /**
   * Says how checks of one App (default: `github-actions`) stand on a commit. One without a conclusion is under way. As soon as all
   * of the App's checks on the commit have finished, `check_suite.completed` is sent.
   */
  tellChecks(
    repository: string,
    commit: string,
    told: { app?: string; checks: readonly ToldCheck[] },
  ): Promise<void>;
  /** Sets a commit status, as services do that are no Apps, and sends `status`. */
  tellStatus(
    repository: string,
    commit: string,
    status: Pick<ForeignStatus, "context" | "state"> & { description?: string; url?: string; by: string },
  ): Promise<void>;
  /** What a person may do there from now on. */
  setPermission(repository: string, login: string, permission: RigUser["permission"]): Promise<void>;
  /**
   * Changes the App's installation on an owner, with GitHub's webhook: a removed one knows the App's tokens no more, a suspended one
   * refuses them, and neither sends anything else.
   */
  changeInstallation(owner: string, action: "created" | "deleted" | "suspend" | "unsuspend"): Promise<void>;
  /** Takes a repository from its owner's installation or gives it back, with GitHub's webhook. */
  selectRepository(repository: string, action: "added" | "removed"): Promise<void>;
};

export const others = (
  state: RigState,
  { checks, relay }: { checks: ForeignChecks; relay: WebhookRelay },
): Others => ({
  tellChecks: (repository, commit, { app = "github-actions", checks: told }) =>
    tellChecks(state, checks, { fullName: repository, commit, app, told }),
  tellStatus: async (fullName, commit, { context, state: standing, description, url, by }) => {
    const status: ForeignStatus = {
      ...{ id: checks.nextId(), fullName, commit, context, state: standing },
      description: description ?? null,
      url: url ?? null,
    };
    checks.statuses.push(status);
    const branches = [...((await state.repositories.get(fullName)?.branches()) ?? [])];
    const on = branches.filter(([, tip]) => tip === commit).map(([name]) => ({ name }));
    const { id, description: text, url: target_url } = status;
    const payload = { id, sha: commit, name: fullName, context, state: standing, target_url };
    await state.emit({
      event: "status",
      repository: fullName,
      by,
      payload: { ...payload, description: text, branches: on },
    });
  },
  setPermission: async (repository, login, permission) => {
    const level = INTRODUCED_AS[permission];
    const path = `/repos/${repository}/collaborators/${login}`;
    if (level === null) await state.ownerApi(repository)("DELETE", path);
    else await state.ownerApi(repository)("PUT", path, { permission: level });
  },
  changeInstallation: async (owner, action) => {
    const { installations } = state;
    const there = [...state.repositories.keys()].filter((name) => name.split("/")[0] === owner);
    const status = {
      created: "active",
      unsuspend: "active",
      deleted: "removed",
      suspend: "suspended",
    } as const;
    installations.set(owner, status[action]);
    const repositories = await Promise.all(there.map((name) => brief(state, name)));
    const payload = await aboutInstallation(state, owner);
    await relay.deliver("installation", { action, ...payload, repositories });
  },
  selectRepository: async (repository, action) => {
    const [owner = ""] = repository.split("/");
    state.installations.select(repository, action === "added");
    const changed = [await brief(state, repository)];
    await relay.deliver("installation_repositories", {
      action,
      ...(await aboutInstallation(state, owner)),
      repository_selection: "selected",
      repositories_added: action === "added" ? changed : [],
      repositories_removed: action === "removed" ? changed : [],
    });
  },
});

const brief = async (state: RigState, fullName: string): Promise<object> =>
  briefRepository(await state.ownerApi(fullName)("GET", `/repos/${fullName}`));

const aboutInstallation = async (state: RigState, owner: string) => {
  const any = [...state.repositories.keys()].find((name) => name.split("/")[0] === owner) ?? "";
  const installation = await state.ownerApi(any)("GET", `/orgs/${owner}/installation`);
  const known = isObject(installation) ? installation : {};
  return {
    installation: { ...known, account: at(known, "account") ?? { login: owner } },
    sender: await state.account(`${owner}-owner`),
  };
};
