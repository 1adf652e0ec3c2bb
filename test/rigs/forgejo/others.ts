import type { Acting } from "./acting.ts";
import { tellDeleted, tellRun } from "./events.ts";
import { accountOf } from "./render.ts";
import type { Webhooks } from "./webhooks.ts";
import type { Level } from "./world.ts";

/** What happens around the bot that people do not do in an issue. */
export type Others = {
  /** Sets a commit status, as continuous integration does. Forgejo sends no webhook of it. */
  tellStatus(
    repository: string,
    commit: string,
    status: {
      context: string;
      state: "pending" | "success" | "failure" | "error" | "warning";
      description?: string;
      url?: string;
      by: string;
    },
  ): Promise<void>;
  /** A run of Forgejo Actions ends: its status, and the webhook, which Forgejo 11 does not have. */
  finishRun(
    repository: string,
    commit: string,
    run: { name: string; result: "success" | "failure" | "recover"; branch: string; by: string },
  ): Promise<void>;
  /** What a person, or the bot, may do there from now on. */
  setPermission(repository: string, login: string, level: Level): Promise<void>;
  /** Takes the repository away, and says so. */
  deleteRepository(repository: string, by: string): Promise<void>;
};

export const others = ({ world, as, repository }: Acting, hooks: Webhooks): Others => {
  const tellStatus: Others["tellStatus"] = async (fullName, commit, { by, url, ...status }) => {
    await as(by)("POST", `/repos/${fullName}/statuses/${commit}`, {
      ...status,
      ...(url === undefined ? {} : { target_url: url }),
    });
  };
  const about = (fullName: string, by: string) => ({
    ...{ world, hooks },
    repository: repository(fullName),
    by: accountOf(world, by),
  });
  return {
    tellStatus,
    finishRun: async (fullName, commit, { name, result, branch, by }) => {
      const state = result === "failure" ? "failure" : "success";
      const url = `/${fullName}/actions/runs/1/jobs/0`;
      await tellStatus(fullName, commit, { context: name, state, description: "Done in 1s", url, by });
      tellRun(about(fullName, by), { action: result, commit, ref: branch });
    },
    setPermission: async (fullName, login, level) => {
      repository(fullName).levels.set(login, level);
    },
    deleteRepository: async (fullName, by) => {
      const told = about(fullName, by);
      world.repositories.delete(fullName);
      tellDeleted(told);
    },
  };
};
