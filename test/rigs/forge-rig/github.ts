import type { ForgeRig, ForgeRigOptions } from "../forge-rig.ts";
import { apiAs } from "../github/api.ts";
import { tokenOf } from "../github/tokens.ts";
import { githubRig } from "../github.ts";
import { ownerInPath } from "./owner-in-path.ts";

export const githubForgeRig = async ({ repositories, from, users }: ForgeRigOptions): Promise<ForgeRig> => {
  const rig = await githubRig({
    repositories: repositories.map((fullName) => ({ fullName, from })),
    users,
  });
  const owners = repositories.map((name) => `${name.split("/")[0]}-owner`);
  const distinct = [...new Set(repositories.map((name) => name.split("/")[0] ?? ""))];
  const people = new Set<string | null>([...users.map(({ login }) => login), ...owners].map(rig.tokenOf));
  return {
    ...rig,
    kind: "github",
    hookPath: "/api/github/webhooks",
    configPath: ".github/uwf.yml",
    organisationRepository: (owner) => `${owner}/.github`,
    delivered: rig.delivered,
    signatureFor: ({ body }) => ({ signature: rig.signatureOf(body) }),
    headersOf: ({ id, event, body }, change) => ({
      "content-type": "application/json",
      "x-github-delivery": id,
      "x-github-event": event,
      "x-hub-signature-256": change?.signature ?? rig.signatureOf(body),
    }),
    // It waits for the bot's answer before it answers whoever caused the webhook.
    idle: async () => undefined,
    commentAsBot: async (repository, issue, body) => {
      const token = rig.minted.findLast(({ permissions }) => permissions.issues === "write")?.token;
      await apiAs(rig.apiUrl, token ?? "")("POST", `/repos/${repository}/issues/${issue}/comments`, { body });
    },
    editPullRequest: async (repository, number, { by, ...change }) => {
      const api = apiAs(rig.apiUrl, rig.tokenOf(by));
      await api("PATCH", `/repos/${repository}/pulls/${number}`, change);
    },
    review: async (repository, number, review) => void (await rig.review(repository, number, review)),
    finishCheck: (repository, { commit }, { name, passed, log }) =>
      rig.tellChecks(repository, commit, {
        checks: [{ name, conclusion: passed ? "success" : "failure", log }],
      }),
    isBots: (request) => !people.has(tokenOf(request)),
    ownerIn: (request) => {
      const token = tokenOf(request);
      const minted = rig.minted.find((each) => each.token === token)?.owner;
      const installation = /^\/app\/installations\/(\d+)/.exec(request.path)?.[1];
      const index = Number(installation) - rig.installationId;
      return minted ?? distinct[index] ?? ownerInPath(request.path);
    },
    removeBot: (repository) => rig.selectRepository(repository, "removed"),
    conversations: async (repository, number) =>
      (await rig.conversations(repository, number)).map(({ id, ...more }) => ({ ...more, id: String(id) })),
    reactions: (repository, subject) => rig.reactions(repository, subject).map(({ content }) => content),
    states: async (repository, commit) =>
      (await rig.checks(repository, commit)).map(({ status, conclusion }) =>
        status === "completed" ? stateOf(conclusion) : "running",
      ),
  };
};

const stateOf = (conclusion: string | null): "success" | "failure" | "neutral" =>
  conclusion === "success" || conclusion === "failure" ? conclusion : "neutral";
