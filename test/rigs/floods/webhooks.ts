import { randomUUID } from "node:crypto";
import { isObject } from "../../../src/base/json.ts";
import type { ForgeRig } from "../forge-rig.ts";

type Json = Record<string, unknown>;

/** A webhook of GitHub's, as it goes over the wire. */
export type Hook = { event: string; payload: Json; id?: string };

export type Somebody = { login: string; type?: "User" | "Bot" };

/** Webhooks like the ones that the forge has sent of a repository, about whatever a test wants. */
export type Forger = {
  comment(of: { issue: number; body: string; by: Somebody; action?: "created" | "edited" }): Hook;
  label(of: { issue: number; title: string; by: Somebody; label?: string; body?: string }): Hook;
  review(of: { number: number; body: string; by: Somebody }): Hook;
  /** With the installation and the repository, and whatever else is given. */
  any(event: string, more: Json): Hook;
};

/** `person` does, by hand and once, what is to be multiplied. */
export const forger = async (
  forge: ForgeRig,
  { repository, person }: { repository: string; person: string },
): Promise<Forger> => {
  const issue = { title: "A pattern", body: "For others.", author: person };
  const { number } = await forge.openIssue(repository, issue);
  await forge.comment(repository, number, { body: "Hello.", author: person });
  await forge.label(repository, number, "pattern", person);
  await forge.idle();
  const pattern = (event: string, action: string): Json => {
    const found = forge.delivered
      .filter((each) => each.event === event && each.action === action)
      .map(({ body }) => JSON.parse(body) as Json)
      .findLast((payload) => isObject(payload.repository) && payload.repository.full_name === repository);
    if (found === undefined) throw new Error(`the forge has sent no ${event}.${action} of ${repository}`);
    return found;
  };
  const commented = pattern("issue_comment", "created");
  const labelled = pattern("issues", "labeled");
  let ids = 9_000_000;
  return {
    comment: ({ issue, body, by, action = "created" }) => ({
      event: "issue_comment",
      payload: {
        ...commented,
        action,
        issue: { ...objectIn(commented, "issue"), number: issue },
        comment: {
          ...objectIn(commented, "comment"),
          ...{ id: ++ids, body, user: accountOf(by), created_at: new Date().toISOString() },
        },
        sender: accountOf(by),
        ...(action === "edited" ? { changes: { body: { from: "before" } } } : {}),
      },
    }),
    label: ({ issue, title, by, label = "uwf", body = "It subtracts." }) => ({
      event: "issues",
      payload: {
        ...labelled,
        issue: { ...objectIn(labelled, "issue"), number: issue, title, body },
        label: { ...objectIn(labelled, "label"), name: label },
        sender: accountOf(by),
      },
    }),
    review: ({ number, body, by }) => {
      const reviewed = pattern("pull_request_review", "submitted");
      const review = {
        ...objectIn(reviewed, "review"),
        id: ++ids,
        body,
        state: "commented",
        user: accountOf(by),
      };
      const pull_request = { ...objectIn(reviewed, "pull_request"), number };
      return {
        event: "pull_request_review",
        payload: { ...reviewed, number, pull_request, review, sender: accountOf(by) },
      };
    },
    any: (event, more) => {
      const { installation, repository, sender } = labelled;
      return { event, payload: { installation, repository, sender, ...more } };
    },
  };
};

const objectIn = (payload: Json, name: string): Json => {
  const value = payload[name];
  return isObject(value) ? value : {};
};

const accountOf = ({ login, type = "User" }: Somebody): Json => ({ login, id: idOf(login), type });

const idOf = (login: string): number =>
  [...login].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7) % 1e9;

/** Connections at once. */
const AT_ONCE = 16;

/** Delivers webhooks as the forge does, several at once, and answers how many got which status. */
export const flood = async (
  { forge, hookUrl }: { forge: ForgeRig; hookUrl: string },
  hooks: readonly Hook[],
  change: { signature?: string } = {},
): Promise<Record<number, number>> => {
  const statuses: Record<number, number> = {};
  const left = hooks.values();
  const sender = async () => {
    for (const { event, payload, id = randomUUID() } of left) {
      const body = JSON.stringify(payload);
      const { signature } = change;
      const headers = forge.headersOf(
        { id, event, body },
        signature === undefined ? undefined : { signature },
      );
      const { status } = await fetch(hookUrl, { method: "POST", body, headers });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return statuses;
};
