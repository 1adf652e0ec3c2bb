import type { ForgeIssue } from "./forge.ts";

type ForgeKind = "github" | "forgejo";

/** Who caused an event, as the forge's own payload says. */
export type Sender = { login: string; id: number; isBot: boolean };

/** What every event of every forge says. */
type About = {
  forge: ForgeKind;
  /** The forge's name for this delivery: the same one again is the same event. */
  deliveryId: string;
  /** GitHub's installation; null on forges that have none. */
  installationId: number | null;
  /** `owner/name`. */
  repository: string;
  defaultBranch: string;
  sender: Sender;
};

/** An issue as it stood when the event happened. */
export type EventIssue = Pick<ForgeIssue, "number" | "title" | "body" | "url" | "author" | "state">;

/** What forges tell the bot, in its own words. More kinds join this union; consumers switch over `kind`. */
export type ForgeEvent = About & { kind: "issue-labelled"; issue: EventIssue; label: string };
