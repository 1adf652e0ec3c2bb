import { z } from "zod";
import { inputError } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import type { ForgeEvent } from "../events.ts";

const User = z.object({ login: z.string(), id: z.int(), type: z.string().optional() });

const Common = z.object({
  installation: z.object({ id: z.int() }).nullish(),
  repository: z.object({
    full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
    default_branch: z.string().min(1),
  }),
  sender: User,
});

const IssueLabelled = Common.extend({
  issue: z.object({
    number: z.int().positive(),
    title: z.string(),
    body: z.string().nullish(),
    html_url: z.string(),
    state: z.enum(["open", "closed"]),
    user: z.object({ login: z.string() }).nullish(),
  }),
  label: z.object({ name: z.string() }),
});

export type GithubDelivery = {
  /** `X-GitHub-Delivery`. */
  id: string;
  /** `X-GitHub-Event`. */
  event: string;
  /** The raw body. */
  body: string;
};

/**
 * The event of a verified webhook delivery; null for those that the bot does not listen to. Throws
 * `webhook-malformed` (fix-input) when a body is not what its headers say.
 */
export const parseGithubEvent = (delivery: GithubDelivery): ForgeEvent | null => {
  if (!mayBeRead(delivery)) return null;
  const payload = parseJson(delivery);
  const action = isObject(payload) && typeof payload.action === "string" ? payload.action : "";
  const read = readers[`${delivery.event}.${action}`];
  return read === undefined ? null : read(payload, delivery);
};

/**
 * False when it is certain, without reading all of the body, that nobody listens to it: most of what an organisation sends
 * is of that kind. GitHub's bodies begin with the action; where one does not, nothing is certain.
 */
const mayBeRead = ({ event, body }: GithubDelivery): boolean => {
  if (!listened.some((name) => name.startsWith(`${event}.`))) return false;
  const action = /^\s*\{\s*"action"\s*:\s*"([a-z_]{1,60})"/.exec(body.slice(0, 200))?.[1];
  return action === undefined || listened.includes(`${event}.${action}`);
};

type Reader = (payload: unknown, delivery: GithubDelivery) => ForgeEvent;

const issueLabelled: Reader = (payload, delivery) => {
  const { issue, label, ...common } = checked(IssueLabelled, payload, delivery);
  return {
    kind: "issue-labelled",
    ...about(common, delivery),
    issue: {
      number: issue.number,
      title: issue.title,
      body: issue.body ?? "",
      url: issue.html_url,
      author: issue.user?.login ?? "ghost",
      state: issue.state,
    },
    label: label.name,
  };
};

const readers: Readonly<Record<string, Reader>> = { "issues.labeled": issueLabelled };
const listened = Object.keys(readers);

const about = ({ installation, repository, sender }: z.output<typeof Common>, { id }: GithubDelivery) => ({
  forge: "github" as const,
  deliveryId: id,
  installationId: installation?.id ?? null,
  repository: repository.full_name,
  defaultBranch: repository.default_branch,
  // Apps act as users of their own type; only people may start work.
  sender: { login: sender.login, id: sender.id, isBot: sender.type !== "User" },
});

const parseJson = (delivery: GithubDelivery): unknown => {
  try {
    return JSON.parse(delivery.body);
  } catch (error) {
    throw malformed(delivery, `its body is no JSON: ${error instanceof Error ? error.message : error}`);
  }
};

const checked = <Schema extends z.ZodType>(
  schema: Schema,
  payload: unknown,
  delivery: GithubDelivery,
): z.output<Schema> => {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw malformed(delivery, problems.join("; "));
};

const malformed = ({ id, event }: GithubDelivery, problem: string) =>
  inputError(
    "webhook-malformed",
    `The GitHub delivery ${id} (${event}) cannot be read: ${problem}`,
    "Let the App send webhooks as application/json.",
  );
