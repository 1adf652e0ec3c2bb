import { AppError, inputError, messageOf } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import type { GivenIssue } from "./given-issue.ts";

const MAX_BYTES = 1024 * 1024;
const PATIENCE_MS = 20_000;

type Reach = {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  env: Readonly<Record<string, string | undefined>>;
};

/**
 * Reads a public issue from its forge's API: GitHub (or the Enterprise Server of `GHE_HOST`), any other host as a
 * Forgejo. No credentials are sent. Throws `issue-invalid` (fix-input) or `issue-unreachable` (retry).
 */
export const fetchIssue = async (address: string, { fetch, env }: Reach): Promise<GivenIssue> => {
  const api = apiAddress(address, env);
  const answer = await ask(fetch, { api, address });
  const issue = parseIssue(await readBounded(answer, address));
  if (issue === undefined) throw unreachable(address, "the answer is no issue");
  return { ...issue, url: address };
};

/** Where the forge's API has the issue. */
export const apiAddress = (address: string, env: Reach["env"]): string => {
  const url = URL.parse(address);
  if (url === null || url.protocol !== "https:")
    throw inputError(
      "issue-invalid",
      `${address} is not an https address`,
      "Give the issue's text or a file instead.",
    );
  const match = /^\/([^/]+)\/([^/]+)\/(?:issues|pulls?)\/(\d+)\/?$/.exec(url.pathname);
  if (match === null)
    throw inputError(
      "issue-invalid",
      `${address} is no address of an issue`,
      "It looks like https://github.com/owner/name/issues/12.",
    );
  const [, owner, name, number] = match;
  const issue = `repos/${owner}/${name}/issues/${number}`;
  if (url.host === "github.com" || url.host === "www.github.com") return `https://api.github.com/${issue}`;
  return url.host === env.GHE_HOST?.trim()
    ? `https://${url.host}/api/v3/${issue}`
    : `https://${url.host}/api/v1/${issue}`;
};

const ask = async (
  fetch: Reach["fetch"],
  { api, address }: { api: string; address: string },
): Promise<Response> => {
  const headers = { accept: "application/json", "user-agent": "uwf" };
  let response: Response;
  try {
    response = await fetch(api, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw unreachable(address, messageOf(cause));
  }
  if (response.ok) return response;
  await response.body?.cancel();
  if (response.status === 404 || response.status === 410 || response.status === 401)
    throw inputError(
      "issue-invalid",
      `there is no public issue at ${address} (${response.status})`,
      "Only public issues can be read; give a private one's text with --issue @file.",
    );
  throw unreachable(address, `the forge answered ${response.status}`);
};

const readBounded = async (response: Response, address: string): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > MAX_BYTES) throw inputError("issue-invalid", `the issue at ${address} is longer than 1 MiB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
};

const parseIssue = (text: string): Omit<GivenIssue, "url"> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value.title !== "string" || typeof value.number !== "number")
      return undefined;
    return {
      title: value.title,
      body: typeof value.body === "string" ? value.body : "",
      number: value.number,
    };
  } catch {
    return undefined;
  }
};

const unreachable = (address: string, reason: string): AppError =>
  new AppError(`cannot read the issue ${address}: ${reason}`, {
    code: "issue-unreachable",
    remedy: "retry",
    hint: "Try again, or give its text with --issue @file.",
  });
