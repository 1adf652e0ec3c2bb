import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forgejoApi } from "./forgejo/api.ts";
import { type Others, others } from "./forgejo/others.ts";
import { type People, people } from "./forgejo/people.ts";
import { accountOf } from "./forgejo/render.ts";
import { type Delivered, webhooks } from "./forgejo/webhooks.ts";
import type { Account, Level, Repository, Scope, World } from "./forgejo/world.ts";
import { apiAs } from "./github/api.ts";
import { type BareRepository, createBareRepository } from "./github/bare-repository.ts";
import { type Fault, faults } from "./github/faults.ts";
import { closeServer, type Handler, json, listen } from "./github/http.ts";

export type ForgejoRigOptions = {
  repositories: readonly {
    fullName: string;
    /** The directory whose files are the first commit. */
    from: string;
    /** Default: private. */
    visibility?: "public" | "private";
  }[];
  /** People, with what they may do in every repository. Each owner's own is `<owner>-owner`. */
  users: readonly { login: string; permission: Level }[];
  bot?: {
    /** Default: `uwf`. */
    login?: string;
    /** Default: `admin`, without which Forgejo tells it nobody's permission. */
    permission?: Level;
    /** Default: `write:repository`, `write:issue`, `read:user`. */
    scopes?: readonly `${"read" | "write"}:${Scope}`[];
  };
};

/**
 * Forgejo, for tests. `People` are what users do there, each as themselves and by the API; `Others` what happens around the bot.
 * Whatever they do sends the webhooks that Forgejo sends, to where `sendWebhooksTo` says.
 */
export type ForgejoRig = People &
  Others & {
    apiUrl: string;
    /** Where git and people go. */
    webUrl: string;
    /** What the bot needs in its environment. */
    env: Readonly<Record<"FORGEJO_URL" | "FORGEJO_TOKEN" | "FORGEJO_WEBHOOK_SECRET", string>>;
    botLogin: string;
    sendWebhooksTo(url: string): void;
    readonly delivered: readonly Delivered[];
    /** When all webhooks were delivered that were sent by now. */
    idle(): Promise<void>;
    /** What Forgejo would send as `X-Forgejo-Signature`. */
    signatureOf(body: string): string;
    /** Lets calls go wrong: answered with any status, slow, cut before or after they were done. Paths begin with `/api/v1`. */
    fault(fault: Fault): void;
    /** Asks the API as somebody. */
    api(login: string, method: string, path: string, body?: unknown): Promise<unknown>;
    /** Clone address without a token. */
    gitUrl(repository: string): string;
    /** The repository on disk. */
    bare(repository: string): BareRepository;
    close(): Promise<void>;
  };

/** Everything is in memory and in one temporary directory, and gone after `close`. */
export const forgejoRig = async (options: ForgejoRigOptions): Promise<ForgejoRig> => {
  const secret = randomBytes(16).toString("hex");
  const root = await mkdtemp(join(tmpdir(), "uwf-forgejo-"));
  const hooks = webhooks({ secret });
  const failing = faults();
  let handle: Handler = async () => json(503, { message: "the rig is starting" });
  const { origin, server } = await listen((request) => failing.serve(request, handle));
  const close = async () => {
    await hooks.idle();
    await closeServer(server);
    await rm(root, { recursive: true, force: true });
  };
  try {
    const world = await worldOf(options, { origin, root });
    handle = forgejoApi({ world, hooks, root });
    const apiUrl = `${origin}/api/v1`;
    const bot = accountOf(world, options.bot?.login ?? BOT);
    const acting = {
      world,
      as: (login: string) => apiAs(apiUrl, accountOf(world, login).token),
      repository: (fullName: string) => known(world, fullName),
    };
    return {
      ...people(acting),
      ...others(acting, hooks),
      apiUrl,
      webUrl: origin,
      env: { FORGEJO_URL: origin, FORGEJO_TOKEN: bot.token, FORGEJO_WEBHOOK_SECRET: secret },
      botLogin: bot.login,
      sendWebhooksTo: hooks.sendTo,
      delivered: hooks.delivered,
      idle: hooks.idle,
      signatureOf: hooks.signatureOf,
      fault: failing.add,
      api: (login, method, path, body) => acting.as(login)(method, path, body),
      gitUrl: (fullName) => `${origin}/${fullName}.git`,
      bare: (fullName) => known(world, fullName).bare,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

const BOT = "uwf";
const BOT_SCOPES = ["write:repository", "write:issue", "read:user"] as const;

const worldOf = async (
  { repositories, users, bot = {} }: ForgejoRigOptions,
  { origin, root }: { origin: string; root: string },
): Promise<World> => {
  let last = 100;
  const nextId = () => ++last;
  const owners = new Map(
    [...new Set(repositories.map(({ fullName }) => fullName.split("/")[0] ?? ""))].map((login) => [
      login,
      { id: nextId(), login },
    ]),
  );
  const account = (login: string, scopes: Account["scopes"] = null): Account => ({
    ...{ id: nextId(), login, scopes },
    token: randomBytes(20).toString("hex"),
  });
  const botLogin = bot.login ?? BOT;
  const accounts = [
    account(botLogin, scopesOf(bot.scopes ?? BOT_SCOPES)),
    ...users.map(({ login }) => account(login)),
    ...[...owners.keys()].map((owner) => account(`${owner}-owner`)),
  ];
  const made = new Map<string, Repository>();
  for (const { fullName, from, visibility = "private" } of repositories) {
    const owner = owners.get(fullName.split("/")[0] ?? "") ?? { id: 0, login: "" };
    const levels = new Map<string, Level>([
      [botLogin, bot.permission ?? "admin"],
      [`${owner.login}-owner`, "owner"],
      ...users.map(({ login, permission }) => [login, permission] as const),
    ]);
    made.set(fullName, {
      ...{ id: nextId(), fullName, owner, visibility, levels },
      bare: await createBareRepository(root, { fullName, from }),
      labels: [{ id: nextId(), name: "uwf", color: "1d76db" }],
      items: new Map(),
      statuses: [],
    });
  }
  return { origin, accounts, repositories: made, nextId };
};

const scopesOf = (scopes: readonly string[]): NonNullable<Account["scopes"]> =>
  new Map(scopes.map((each) => each.split(":").reverse() as [Scope, "read" | "write"]));

const known = (world: World, fullName: string): Repository => {
  const repository = world.repositories.get(fullName);
  if (repository === undefined) throw new Error(`the rig has no repository ${fullName}`);
  return repository;
};
