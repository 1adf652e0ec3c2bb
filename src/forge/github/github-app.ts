import type { Logger } from "pino";
import { Probot, ProbotOctokit } from "probot";
import { signatureChecker } from "../webhook-signature.ts";

/** A client of GitHub's API, with whatever authentication it was made for. */
export type Octokit = ProbotOctokit;

/** What the adapter needs of the registered App. */
export interface GithubApp {
  /** Authenticated as the App itself: for `/app/…` and for finding installations. */
  asApp(): Promise<Octokit>;
  /** Authenticated as one installation; its tokens are renewed by the client. */
  asInstallation(id: number): Promise<Octokit>;
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
  /**
   * `polite` spaces writes as GitHub asks (a second apart, three for those that notify) and waits out short rate limits and
   * passing failures inside the client. `immediate` does neither and is for servers on this machine: the default
   * where `apiUrl` is a loopback address.
   */
  pace?: "polite" | "immediate";
};

/** A request that takes longer has been lost. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer waits are the queue's: the error says when to come back. */
const LONGEST_WAIT_SECONDS = 60;

/** The App by way of Probot. Nothing is asked of GitHub until a client is used. */
export const githubApp = (options: GithubAppOptions): GithubApp => {
  const { appId, privateKey, webhookSecret, apiUrl, log } = options;
  const probot = new Probot({
    appId,
    privateKey,
    secret: webhookSecret,
    baseUrl: apiUrl,
    log,
    Octokit: clientOf(options.pace ?? paceFor(apiUrl)),
    request: { fetch: fetchInTime },
  });
  return {
    asApp: () => probot.auth(),
    asInstallation: (id) => probot.auth(id),
    verify: signatureChecker(webhookSecret, { prefix: "sha256=" }),
  };
};

const paceFor = (apiUrl: string): "polite" | "immediate" =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(apiUrl).hostname) ? "immediate" : "polite";

const fetchInTime: typeof fetch = (resource, init) => {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const signals = init?.signal ? [init.signal, timeout] : [timeout];
  return fetch(resource, { ...init, signal: AbortSignal.any(signals) });
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
