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

/** A delivery of 25 kB, of an event that the bot does not act on: an issue of some length was edited. */
export const webhookBody = (): string => {
  const payload = {
    action: "edited",
    issue: { number: 12, title: "Durations below a second", state: "open", user: user(7), body: "" },
    repository: repository(1),
    organization: user(3),
    installation: { id: 5 },
    sender: user(9),
  };
  for (let part = 1; JSON.stringify(payload).length < BYTES; part++)
    payload.issue.body += `${stepText(part)}\n`.slice(0, BYTES - JSON.stringify(payload).length);
  return JSON.stringify(payload);
};
