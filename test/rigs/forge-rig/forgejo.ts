import type { ForgeRig, ForgeRigOptions } from "../forge-rig.ts";
import { forgejoRig } from "../forgejo.ts";
import { tokenOf } from "../github/tokens.ts";
import { ownerInPath } from "./owner-in-path.ts";

export const forgejoForgeRig = async ({ repositories, from, users }: ForgeRigOptions): Promise<ForgeRig> => {
  const rig = await forgejoRig({
    repositories: repositories.map((fullName) => ({ fullName, from })),
    users,
  });
  return {
    ...rig,
    kind: "forgejo",
    hookPath: "/api/forgejo/webhooks",
    configPath: ".forgejo/uwf.yml",
    organisationRepository: (owner) => `${owner}/.forgejo`,
    signatureFor: ({ body }) => ({ signature: rig.signatureOf(body) }),
    headersOf: ({ id, event, body }, change) => ({
      "content-type": "application/json",
      "x-forgejo-delivery": id,
      "x-forgejo-event": event,
      "x-forgejo-signature": change?.signature ?? rig.signatureOf(body),
    }),
    commentAsBot: async (repository, issue, body) => {
      await rig.api(rig.botLogin, "POST", `/repos/${repository}/issues/${issue}/comments`, { body });
    },
    review: async (repository, number, review) => void (await rig.review(repository, number, review)),
    finishCheck: (repository, { commit, branch }, { name, passed }) =>
      rig.finishRun(repository, commit, {
        ...{ name, branch, result: passed ? "success" : "failure" },
        by: ownerOf(repository),
      }),
    // Git asks first without a token.
    isBots: (request) => [null, rig.env.FORGEJO_TOKEN].includes(tokenOf(request)),
    ownerIn: ({ path }) => ownerInPath(path),
    removeBot: (repository) => rig.deleteRepository(repository, ownerOf(repository)),
    reactions: (repository, subject) => rig.reactions(repository, subject).map(({ content }) => content),
    states: async (repository, commit) =>
      rig
        .statuses(repository, commit)
        .filter(({ by }) => by === rig.botLogin)
        .map(({ state }) => STATES[state] ?? "neutral"),
  };
};

const STATES: Readonly<Record<string, "running" | "success" | "failure">> = {
  pending: "running",
  success: "success",
  failure: "failure",
};

/** The person whom the rig makes for each owner. */
const ownerOf = (repository: string): string => `${repository.split("/")[0]}-owner`;
