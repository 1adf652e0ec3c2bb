import { isObject } from "../../../src/base/json.ts";
import { at } from "./api.ts";
import type { Edits } from "./edits.ts";
import { heads, pullOf } from "./pulls.ts";
import type { RigState } from "./rule.ts";

export type Webhook = { event: string; payload: unknown };

/**
 * What GitHub sends where the emulator sends `webhook`: with the organisation, the whole label, what an edit changed, and
 * pull requests as what they are. Null when the App hears nothing of it.
 */
export const completed = async (
  state: RigState,
  edits: Edits,
  { event, payload }: Webhook,
): Promise<Webhook | null> => {
  if (!isObject(payload)) return { event, payload };
  const fullName = String(at(payload, "repository", "full_name"));
  if (!state.installations.covers(fullName)) return null;
  const owner = at(payload, "repository", "owner");
  const whole = {
    ...payload,
    ...(at(owner, "type") === "User" ? {} : { organization: owner }),
    ...labelOf(payload),
    ...(payload.action === "edited" ? edits.of(fullName, payload) : {}),
  };
  const asPull = at(payload, "issue", "head") === undefined ? null : payload.issue;
  if (event === "issues" && isObject(asPull)) {
    if (!state.app.events.includes("pull_request")) return null;
    const { issue: _, ...rest } = whole as typeof whole & { issue: unknown };
    const pull = (await heads(state, fullName))(asPull);
    return { event: "pull_request", payload: { ...rest, number: pull.number, pull_request: pull } };
  }
  if (event === "issue_comment") return { event, payload: await withPullRequest(state, fullName, whole) };
  const pull = payload.pull_request;
  if (!isObject(pull)) return { event, payload: whole };
  const pull_request = (await heads(state, fullName))(pull);
  return { event, payload: { ...whole, number: pull.number, pull_request } };
};

/** The label as the issue has it. */
const labelOf = (payload: Record<string, unknown>): { label?: unknown } => {
  const labels = at(payload, "issue", "labels");
  const name = at(payload, "label", "name");
  const label = (Array.isArray(labels) ? labels : []).find((candidate) => at(candidate, "name") === name);
  return label === undefined ? {} : { label };
};

/** Comments on pull requests say whose they are. */
const withPullRequest = async (
  state: RigState,
  fullName: string,
  payload: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  const pull = await pullOf(state, fullName, Number(at(payload, "issue", "number")));
  if (pull === null || !isObject(payload.issue)) return payload;
  const { url, html_url, diff_url, patch_url, merged_at, draft } = pull.data;
  const pull_request = { url, html_url, diff_url, patch_url, merged_at };
  return { ...payload, issue: { ...payload.issue, html_url, draft, pull_request } };
};
