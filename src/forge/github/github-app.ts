import type { Logger } from "pino";
import { Probot, ProbotOctokit } from "probot";
import { boundedResponse } from "../../base/bounded-response.ts";
import type { Secrets } from "../../base/redact.ts";
import { signatureChecker } from "../webhook-signature.ts";
import { statusOf } from "./github-errors.ts";
import { type InstallationTokens, installationTokens, type TokenPlace } from "./installation-tokens.ts";
import type { Phase } from "./phases.ts";

/** A client of GitHub's API, with whatever authentication it was made for. */
export type Octokit = ProbotOctokit;

/** What the adapter needs of the registered App. */
export interface GithubApp {
  /** Authenticated as the App itself: for `/app/…` and for finding installations. */
  asApp(): Promise<Octokit>;
  /** A client whose tokens are for this repository and this phase alone, and are renewed by it. */
  inRepository(place: TokenPlace, phase: Phase): Promise<Octokit>;
  /** A token for git, which nobody else has. */
  gitToken(place: TokenPlace, phase: "fetch" | "push"): Promise<string>;
  revoke(token: string): Promise<void>;
  /** True when `signature` (`sha256=…`) is the webhook secret's over these very bytes. */
  verify(body: Uint8Array, signature: string): boolean;
}

export type GithubAppOptions = {
  appId: number;
  /** PEM. */
  privateKey: string;
  webhookSecret: string;
  /** `https://api.github.com`, or a GitHub Enterprise Server's `https://<host>/api/v3`. */
  apiUrl: string;
  log: Logger;
  /** Is told what the App signs and every token that it is given. */
  secrets?: Pick<Secrets, "add">;
  /**
   * `polite` spaces writes as GitHub asks (a second apart, three for those that notify) and waits out short rate limits and
   * passing failures inside the client. `immediate` does neither and is for servers on this machine: the default
   * where `apiUrl` is a loopback address.
   */
  pace?: "polite" | "immediate";
};

/** A request that takes longer has been lost. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Of one answer: a page of pull requests with their whole texts has a few. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** Logs are read as they come, and only their end is kept. */
const MAX_LOG_BYTES = 1024 * 1024 * 1024;
/** Longer waits are the queue's: the error says when to come back. */
const LONGEST_WAIT_SECONDS = 60;

/** The App by way of Probot. Nothing is asked of GitHub until a client is used. */
export const githubApp = (options: GithubAppOptions): GithubApp => {
  const { appId, privateKey, webhookSecret, apiUrl, log, secrets = { add: () => undefined } } = options;
  const probot = new Probot({
    appId,
    privateKey,
    secret: webhookSecret,
    baseUrl: apiUrl,
    log,
    Octokit: clientOf(options.pace ?? paceFor(apiUrl)),
    request: { fetch: fetchNoting(secrets) },
  });
  const opened = probot.auth().then((asApp) => {
    const Client = asApp.constructor as typeof ProbotOctokit;
    const unspaced = { throttle: { enabled: false } };
    const tokens = installationTokens({
      asApp: new Client(unspaced),
      withToken: (token) => new Client({ ...unspaced, auth: { token } }),
      secrets,
      now: Date.now,
    });
    return { asApp, Client, tokens };
  });
  opened.catch(() => undefined);
  return {
    asApp: async () => (await opened).asApp,
    inRepository: async (place, phase) => {
      const { Client, tokens } = await opened;
      const throttle = { id: String(place.installation) };
      return new Client({ authStrategy: () => withTokens(tokens, place, phase), throttle });
    },
    gitToken: async (place, phase) => (await opened).tokens.mint(place, phase),
    revoke: async (token) => (await opened).tokens.revoke(token),
    verify: signatureChecker(webhookSecret, { prefix: "sha256=" }),
  };
};

type Request = Octokit["request"];
type Route = Parameters<Request["endpoint"]["merge"]>;

/** Octokit's form of authentication: every request gets the token that is current then. One that was taken back is replaced, once. */
const withTokens = (tokens: InstallationTokens, place: TokenPlace, phase: Phase) => {
  const send = async (request: Request, route: Route, token: string) => {
    const endpoint = request.endpoint.merge(...route);
    endpoint.headers.authorization = `token ${token}`;
    return request(endpoint as unknown as Parameters<Request>[0]);
  };
  const hook = async (request: Request, ...route: Route) => {
    const token = await tokens.current(place, phase);
    try {
      return await send(request, route, token);
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
      tokens.forget(token);
      return send(request, route, await tokens.current(place, phase));
    }
  };
  return Object.assign(async () => ({ type: "token", token: await tokens.current(place, phase) }), { hook });
};

const paceFor = (apiUrl: string): "polite" | "immediate" =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(apiUrl).hostname) ? "immediate" : "polite";

/** What is sent as a credential is good for an hour at most. */
const LONGEST_VALID_MS = 60 * 60_000;

const fetchNoting =
  (secrets: Pick<Secrets, "add">): typeof fetch =>
  async (resource, init) => {
    const [, credential] = new Headers(init?.headers).get("authorization")?.split(" ") ?? [];
    if (credential !== undefined) secrets.add(credential, { expiresAt: Date.now() + LONGEST_VALID_MS });
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const signals = init?.signal ? [init.signal, timeout] : [timeout];
    const response = await fetch(resource, { ...init, signal: AbortSignal.any(signals) });
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    return isJson ? wholeJson(response) : boundedResponse(response, MAX_LOG_BYTES);
  };

/** Octokit takes an answer that breaks off, or is no JSON, for one that is empty. */
const wholeJson = async (response: Response): Promise<Response> => {
  const text = await boundedResponse(response, MAX_JSON_BYTES).text();
  if (text !== "") JSON.parse(text);
  const { status, statusText, headers, url } = response;
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  const whole = new Response(hasBody ? text : null, { status, statusText, headers });
  return Object.defineProperty(whole, "url", { value: url });
};

/** Probot merges its own handlers over plain defaults; a function has the last word. */
const clientOf = (pace: "polite" | "immediate"): typeof ProbotOctokit =>
  ProbotOctokit.defaults((given: Record<string, unknown> & { throttle?: object }) => ({
    ...given,
    ...(pace === "polite"
      ? { throttle: { ...given.throttle, onRateLimit: waitOut, onSecondaryRateLimit: waitOut } }
      : { throttle: { enabled: false }, retry: { enabled: false } }),
  }));

const waitOut = (seconds: number, _request: object, _octokit: object, attempts: number): boolean =>
  seconds <= LONGEST_WAIT_SECONDS && attempts < 2;
