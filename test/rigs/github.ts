import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BareRepository } from "./github/bare-repository.ts";
import {
  appFromManifest,
  INSTALLATION_ID,
  type RigApp,
  type RigUser,
  startEmulator,
} from "./github/emulator.ts";
import { emulatorToGit } from "./github/emulator-to-git.ts";
import { type Fault, faults } from "./github/faults.ts";
import { gitToEmulator } from "./github/git-to-emulator.ts";
import { closeServer, type Handler, json, listen, parsed } from "./github/http.ts";
import { introduce, ownerLogin } from "./github/introduce.ts";
import { type People, people } from "./github/people.ts";
import { proxy } from "./github/proxy.ts";
import type { RigState } from "./github/rule.ts";
import { appManifests, type Manifest } from "./github/rules/app-manifests.ts";
import { pullRequestRules } from "./github/rules/pull-requests.ts";
import { type Reaction, reactions } from "./github/rules/reactions.ts";
import { tokenRules } from "./github/rules/tokens.ts";
import { rigState } from "./github/state.ts";
import type { MintedToken } from "./github/tokens.ts";
import { type Delivered, webhookRelay } from "./github/webhooks.ts";

export type GithubRigOptions = {
  repositories: readonly {
    fullName: string;
    /** The directory whose files are the first commit. */
    from: string;
    /** Default: private. */
    visibility?: "public" | "private";
  }[];
  users: readonly RigUser[];
  /** What differs from `app.yml`. */
  app?: Partial<RigApp>;
};

export type GithubRig = People & {
  /** The API, as `GHE_HOST` and `GHE_PROTOCOL` make it. */
  apiUrl: string;
  /** Where git and people go. */
  webUrl: string;
  /** What the bot needs in its environment. */
  env: Readonly<
    Record<
      "GITHUB_APP_ID" | "GITHUB_APP_PRIVATE_KEY" | "GITHUB_WEBHOOK_SECRET" | "GHE_HOST" | "GHE_PROTOCOL",
      string
    >
  >;
  botLogin: string;
  /** Of the App on the owner of the first repository. */
  installationId: number;
  sendWebhooksTo(url: string): void;
  readonly delivered: readonly Delivered[];
  redeliver(id: string): Promise<Delivered>;
  /** What GitHub would send as `X-Hub-Signature-256`. */
  signatureOf(body: string): string;
  readonly minted: readonly MintedToken[];
  revoke(token: string): void;
  fault(fault: Fault): void;
  /** Of `issues/<n>` or `issues/comments/<id>`. */
  reactions(repository: string, subject: string): readonly Reaction[];
  /** Manifests of Apps that were registered. */
  readonly registered: readonly Manifest[];
  /** Clone address without a token. */
  gitUrl(repository: string): string;
  /** The repository on disk. */
  bare(repository: string): BareRepository;
  close(): Promise<void>;
};

/**
 * GitHub on this machine: the emulator, corrected where it differs, with git over HTTP on the same origin. Everything is
 * in memory and in one temporary directory, and gone after `close`.
 */
export const githubRig = async (options: GithubRigOptions): Promise<GithubRig> => {
  const app: RigApp = { ...(await appFromManifest()), ...options.app };
  const secret = randomBytes(16).toString("hex");
  const root = await mkdtemp(join(tmpdir(), "uwf-github-"));
  const relay = webhookRelay({ secret, appId: app.id });
  const failing = faults();
  let handle: Handler = async () => json(503, { message: "the rig is starting" });
  const { origin, server } = await listen(async (request) => {
    if (request.path !== WEBHOOKS) return failing.of(request) ?? handle(request);
    await relay.relay(request.headers["x-github-event"] ?? "", parsed(request));
    return json(202, {});
  });
  const opened: (() => Promise<unknown>)[] = [() => closeServer(server)];
  const close = async () => {
    for (const end of opened.splice(0)) await end();
    await rm(root, { recursive: true, force: true });
  };
  try {
    const { users } = options;
    const repositories = options.repositories.map((each) => ({ visibility: "private" as const, ...each }));
    const webhook = { webhookUrl: `${origin}${WEBHOOKS}`, webhookSecret: secret };
    const emulator = await startEmulator({ origin, repositories, users, app, ...webhook });
    opened.push(emulator.close);
    const state = await rigState(emulator, { root, repositories, users, app });
    await introduce(emulator, { repositories: [...state.repositories.keys()], users, app });
    const reacted = reactions();
    const manifests = appManifests({ ...app, origin, secret, privateKey: emulator.privateKey });
    const rules = [...manifests.rules, ...tokenRules, ...reacted.rules, ...pullRequestRules];
    handle = proxy({ ...state, ...(await copying(state)), origin, root, emulatorUrl: emulator.url, rules });
    return {
      ...view(state, { origin, tokens: emulator.tokens }),
      env: environment({ app, origin, secret, privateKey: emulator.privateKey }),
      sendWebhooksTo: relay.sendTo,
      delivered: relay.delivered,
      redeliver: relay.redeliver,
      signatureOf: relay.signatureOf,
      fault: failing.add,
      reactions: reacted.of,
      registered: manifests.registered,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** What people, and tests, find at the rig's addresses. */
const view = (
  state: RigState,
  { origin, tokens }: { origin: string; tokens: ReadonlyMap<string, string> },
) => ({
  ...people({ apiUrl: `${origin}/api/v3`, tokens, ownerLogin }),
  apiUrl: `${origin}/api/v3`,
  webUrl: origin,
  botLogin: state.botLogin,
  installationId: INSTALLATION_ID,
  minted: state.tokens.minted,
  revoke: state.tokens.revoke,
  gitUrl: (name: string) => `${origin}/${name}.git`,
  bare: (name: string) => known(state, name),
});

const WEBHOOKS = "/_rig/webhooks";

const environment = (parts: { app: RigApp; origin: string; secret: string; privateKey: string }) => ({
  GITHUB_APP_ID: String(parts.app.id),
  GITHUB_APP_PRIVATE_KEY: parts.privateKey,
  GITHUB_WEBHOOK_SECRET: parts.secret,
  GHE_HOST: new URL(parts.origin).host,
  GHE_PROTOCOL: "http",
});

const known = (state: RigState, name: string): BareRepository => {
  const repository = state.repositories.get(name);
  if (repository === undefined) throw new Error(`the rig has no repository ${name}`);
  return repository;
};

/** Keeps git and the emulator the same, beginning now. One copy at a time, so that none sees half of another. */
const copying = async (state: RigState) => {
  let last: Promise<void> = Promise.resolve();
  const inTurn = (copy: () => Promise<void>): Promise<void> => {
    const run = last.then(copy);
    last = run.catch(() => undefined);
    return run;
  };
  const toEmulator = new Map<string, () => Promise<void>>();
  const toGit = new Map<string, () => Promise<void>>();
  for (const [name, bare] of state.repositories) {
    toEmulator.set(name, gitToEmulator(bare, state.ownerApi(name)));
    toGit.set(name, emulatorToGit(bare, state.ownerApi(name)));
  }
  for (const copy of toEmulator.values()) await copy();
  return {
    pushed: (name: string) => inTurn(async () => toEmulator.get(name)?.()),
    edited: (name: string) => inTurn(async () => toGit.get(name)?.()),
  };
};
