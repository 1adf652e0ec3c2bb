import type { ForgeEvent } from "../forge/events.ts";
import { mayHoldCommand } from "./commands/parse.ts";

/**
 * False when it is certain, without asking anybody, that the event leads to nothing: most of what an organisation sends is of
 * that kind.
 */
export const mayBeWanted = (event: ForgeEvent): boolean => {
  if (event.kind === "checks-finished") return true;
  if (event.sender.isBot && event.kind !== "installation-changed") return false;
  switch (event.kind) {
    case "issue-labelled":
    case "labels-changed":
      return event.issue.state === "open";
    case "commented":
      return mayHoldCommand(event.comment.body);
    case "reviewed":
      return event.issue.state === "open";
    case "installation-changed":
      return true;
  }
};
