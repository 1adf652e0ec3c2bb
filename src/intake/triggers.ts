import type { EventIssue, ForgeEvent, Sender } from "../forge/events.ts";

/** What an event asks for, before anybody has checked that its sender may ask. */
export type Trigger = {
  kind: "solve-issue";
  /** The workflow's name. */
  workflow: string;
  place: { forge: ForgeEvent["forge"]; repository: string; installationId: number | null };
  issue: EventIssue;
  sender: Sender;
};

export type TriggerRules = {
  /** Label → workflow. */
  labels: Readonly<Record<string, string>>;
};

export const defaultRules: TriggerRules = { labels: { uwf: "solve-issue" } };

/** The trigger in an event, if there is one. Bots start nothing; neither does a label on a closed issue. */
export const triggerOf = (event: ForgeEvent, { labels }: TriggerRules): Trigger | null => {
  const workflow = Object.hasOwn(labels, event.label) ? labels[event.label] : undefined;
  if (workflow === undefined || event.sender.isBot || event.issue.state !== "open") return null;
  const { forge, repository, installationId, issue, sender } = event;
  return { kind: "solve-issue", workflow, place: { forge, repository, installationId }, issue, sender };
};

/** Whose trigger it is: `github/17`. */
export const installationOf = ({ place }: Pick<Trigger, "place">): string =>
  `${place.forge}/${place.installationId ?? 0}`;

/** What the trigger works on, as the thread's subject. */
export const subjectOf = (trigger: Trigger): string =>
  `${installationOf(trigger)}/${trigger.place.repository}#${trigger.issue.number}`;
