import { RepositoryConfig } from "../config/repository-config.ts";
import type { RepositoryEvent } from "../forge/events.ts";
import type { Forge } from "../forge/forge.ts";
import { parseComment } from "./commands/parse.ts";
import { mentionsOf } from "./comments.ts";
import type { IntakeParts } from "./parts.ts";
import { mayAsk } from "./permission.ts";

/**
 * Whether somebody who may ask has asked for something, as far as can be told without the repository's configuration: by a
 * label or a command that is there by default. While the file is wrong nobody can say what other labels and words mean, and those who
 * review or label for other reasons are not to be told.
 */
export const isClearlyAsked = async (
  { log }: Pick<IntakeParts, "log">,
  forge: Forge,
  event: RepositoryEvent,
): Promise<boolean> => (await looksAsked(forge, event)) && mayAsk(forge, event.sender, log);

const looksAsked = async (forge: Forge, event: RepositoryEvent): Promise<boolean> => {
  switch (event.kind) {
    case "issue-labelled":
      return isLabel(event.label);
    case "labels-changed":
      return event.labels.some(isLabel);
    case "commented": {
      const { name } = await forge.botAuthor();
      const rules = { mentions: mentionsOf(name), own: {} };
      return parseComment(event.comment.body, rules).kind !== "nothing";
    }
    case "reviewed":
    case "checks-finished":
      return false;
  }
};

const isLabel = (label: string): boolean =>
  Object.keys(RepositoryConfig.parse({}).labels).some((name) => name.toLowerCase() === label.toLowerCase());
