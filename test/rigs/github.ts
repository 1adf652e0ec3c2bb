import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BareRepository } from "./github/bare-repository.ts";
import { foreignChecks } from "./github/checks/foreign-checks.ts";
import { logHost } from "./github/checks/log-host.ts";
import { checkRules } from "./github/checks/rules.ts";
import { completed, type Webhook } from "./github/completed.ts";
import { copying } from "./github/copying.ts";
import { edits } from "./github/edits.ts";
import {
  appFromManifest,
  INSTALLATION_ID,
  type RigApp,
  type RigUser,
  startEmulator,
} from "./github/emulator.ts";
import { environment } from "./github/environment.ts";
import { type Fault, faults } from "./github/faults.ts";
import { graphqlRule } from "./github/graphql/rule.ts";
import { closeServer, type Handler, json, listen, parsed } from "./github/http.ts";
import { introduce } from "./github/introduce.ts";
import { type Others, others } from "./github/others.ts";
import { type People, people } from "./github/people.ts";
import { proxy } from "./github/proxy.ts";
import { type Reviews, reviewBook } from "./github/reviews/reviews.ts";
import { reviewRules } from "./github/reviews/rules.ts";
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
    /** Default: true. Plans without draft pull requests refuse them. */
    drafts?: boolean;
  }[];
  users: readonly RigUser[];
  /** What differs from `app.yml`. */
  app?: Partial<RigApp>;
};

/**
 * GitHub, for tests. `People` are what users do there, each as themselves and by the real API; `Others` what happens around the
 * bot. Whatever they do sends the webhooks that GitHub sends, to where `sendWebhooksTo` says, when the App listens to them (app.yml)
 * and is installed there. A pull request of the bot's, reviewed, with failing checks:
 *
 *     const pull = (await rig.pullRequests("acme/sums")).find(({ author }) => author === rig.botLogin);
 *     await rig.review("acme/sums", pull.number, {
 *       author: "mona", verdict: "REQUEST_CHANGES", comments: [{ path: "sum.js", line: 1, body: "Add, please." }],
 *     });
 *     await rig.tellChecks("acme/sums", pull.head.commit, {
 *       checks: [{ name: "test", conclusion: "failure", log: "1 failed" }],
 *     });
 *     expect(await rig.conversations("acme/sums", pull.number)).toMatchObject([{ comments: [{ author: "mona" }] }]);
 */
export type GithubRig = People &
  Others & {
    /** The API, as `GHE_HOST` and `GHE_PROTOCOL` make it. */
    apiUrl: string;
    /** Where git and people go. */
    webUrl: string;
    /** What the bot needs in its environment. */
    env: Readonly<ReturnType<typeof environment>>;
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
    /** A person's own token, for what `People` lacks. */
    tokenOf(login: string): string;
    /** Lets calls go wrong: answered with any status, slow, cut before or after they were done. */
    fault(fault: Fault): void;
    /** Credentials that came to the host of logs, which needs none. */
    readonly credentialsAtLogs: readonly string[];
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
  const edited = edits();
  let complete: (webhook: Webhook) => Promise<Webhook | null> = async () => null;
  const { origin, server } = await listen(async (request) => {
    if (request.path !== WEBHOOKS) return failing.serve(request, handle);
    const webhook = { event: request.headers["x-github-event"] ?? "", payload: parsed(request) };
    const told = await complete(webhook);
    if (told !== null) await relay.deliver(told.event, told.payload);
    return json(202, {});
  });
  const opened: (() => Promise<unknown>)[] = [() => closeServer(server)];
  const close = async () => {
    for (const end of opened.splice(0)) await end();
    await rm(root, { recursive: true, force: true });
  };
  try {
    const { users } = options;
    const repositories = options.repositories.map((each) => ({
      visibility: "private" as const,
      drafts: true,
      ...each,
    }));
    const webhook = { webhookUrl: `${origin}${WEBHOOKS}`, webhookSecret: secret };
    const emulator = await startEmulator({ origin, repositories, users, app, ...webhook });
    opened.push(emulator.close);
    const state = await rigState(emulator, { root, repositories, users, app, relay });
    const checks = foreignChecks();
    const logs = await logHost(checks);
    opened.push(logs.close);
    await introduce(emulator, { repositories: [...state.repositories.keys()], users, app });
    const reacted = reactions();
    const manifests = appManifests({ ...app, origin, secret, privateKey: emulator.privateKey });
    const reviews = reviewBook();
    const rules = [
      ...[...manifests.rules, ...tokenRules, ...reacted.rules, ...edited.rules],
      ...[...reviewRules(reviews), ...checkRules(checks, logs), ...pullRequestRules, graphqlRule(reviews)],
    ];
    complete = (webhook) => completed(state, edited, webhook);
    handle = proxy({ ...state, ...(await copying(state)), origin, root, emulatorUrl: emulator.url, rules });
    return {
      ...view(state, { origin, tokens: emulator.tokens, reviews }),
      ...others(state, { checks, relay }),
      env: environment({ app, origin, secret, privateKey: emulator.privateKey }),
      sendWebhooksTo: relay.sendTo,
      delivered: relay.delivered,
      redeliver: relay.redeliver,
      signatureOf: relay.signatureOf,
      fault: failing.add,
      credentialsAtLogs: logs.credentials,
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
  { origin, tokens, reviews }: { origin: string; tokens: ReadonlyMap<string, string>; reviews: Reviews },
) => ({
  ...people({ apiUrl: `${origin}/api/v3`, tokens, state, reviews }),
  apiUrl: `${origin}/api/v3`,
  webUrl: origin,
  botLogin: state.botLogin,
  installationId: INSTALLATION_ID,
  minted: state.tokens.minted,
  revoke: state.tokens.revoke,
  tokenOf: (login: string) => tokens.get(login) ?? "",
  gitUrl: (name: string) => `${origin}/${name}.git`,
  bare: (name: string) => known(state, name),
});

const WEBHOOKS = "/_rig/webhooks";

const known = (state: RigState, name: string): BareRepository => {
  const repository = state.repositories.get(name);
  if (repository === undefined) throw new Error(`the rig has no repository ${name}`);
  return repository;
};
