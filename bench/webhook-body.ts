import { stepText } from "./step-text.ts";

const BYTES = 25_000;

/** Names of a forge's payload: most of it is addresses. */
const addresses =
  "archive assignees blobs branches collaborators comments commits compare contents contributors deployments downloads events forks hooks issues keys labels languages merges milestones notifications pulls releases stargazers statuses subscribers subscription tags teams trees".split(
    " ",
  );

const repository = (id: number) => ({
  id,
  full_name: "example/project",
  default_branch: "main",
  private: false,
  owner: user(id + 1),
  ...Object.fromEntries(
    addresses.map((name) => [`${name}_url`, `https://api.github.com/repos/example/project/${name}{/sha}`]),
  ),
});

const user = (id: number) => ({
  login: `user-${id}`,
  id,
  type: "User",
  site_admin: false,
  ...Object.fromEntries(
    addresses.slice(0, 12).map((name) => [`${name}_url`, `https://api.github.com/users/user-${id}/${name}`]),
  ),
});

const about = {
  title: "Durations below a second",
  html_url: "https://github.com/example/project/issues/12",
  state: "open",
};

/** Of an issue: `labeled`, which may be a trigger, or another action, to which the bot does not listen. */
export type WebhookAction = "labeled" | "edited";

/** A delivery of 25 kB: something was done to an issue of some length. */
export const webhookBody = (action: WebhookAction): string => {
  const payload = {
    action,
    ...(action === "labeled" ? { label: { name: "uwf" } } : {}),
    issue: { number: 12, ...about, user: user(7), body: "" },
    repository: repository(1),
    organization: user(3),
    installation: { id: 5 },
    sender: user(9),
  };
  for (let part = 1; JSON.stringify(payload).length < BYTES; part++)
    payload.issue.body += `${stepText(part)}\n`.slice(0, BYTES - JSON.stringify(payload).length);
  return JSON.stringify(payload);
};
