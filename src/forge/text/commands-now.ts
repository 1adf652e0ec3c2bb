import { exactMoney } from "../../base/exact-money.ts";
import { isBudgetSpent } from "./budget-spent.ts";
import { type CommandName, commandTable } from "./command-table.ts";
import { inlineCode } from "./inline-code.ts";
import { canBeApproved } from "./plan.ts";
import type { ThreadView } from "./thread-view.ts";

/** A command, and what it does now where the table's words are too general. */
type Offer = readonly [command: CommandName, does?: string];

/** The commands that help now, with what each does; where none is obeyed, what helps on the bot's machine; or nothing. */
export const commandsNow = (view: ThreadView): string => {
  const { commands, state, thread } = view;
  const offers = offersFor(view).filter(([command]) => commands.includes(command));
  if (offers.length > 0)
    return offers
      .map(([command, does]) => `\`${commandTable[command].usage}\` ${does ?? commandTable[command].does}`)
      .join(" · ");
  if (state !== "paused" && state !== "suspended") return "";
  return `On the bot's machine, ${inlineCode(`uwf thread resume ${thread} "your note"`)} lets it go on.`;
};

const offersFor = (view: ThreadView): readonly Offer[] => {
  switch (view.state) {
    case "queued":
      return [["stop"]];
    case "running":
      return [["pause"], ["stop"]];
    case "paused":
      return [["resume", goesOn(view)], ["stop"]];
    case "suspended":
      return suspended(view);
    case "completed":
      return completed(view);
    case "failed":
      return [["resume", "goes on from where it stopped"], ["retry"]];
    case "cancelled":
      return [["retry"], ["resume", "goes on from where it stopped"]];
  }
};

/** A budget counts anew when a person lets the thread go on. */
const goesOn = (view: ThreadView): string =>
  view.budget !== null && isBudgetSpent(view)
    ? `lets it go on, for ${exactMoney(view.budget.limitUsd)} more`
    : "lets it go on";

const suspended = ({ awaits }: ThreadView): readonly Offer[] => {
  if (awaits?.kind === "approval")
    return [
      ...(canBeApproved(awaits.plan) ? [["approve"] as const] : []),
      ["resume", "has the plan changed"],
      ["stop"],
    ];
  if (awaits?.kind === "failure") return [["resume", "says how it is to go on"], ["stop"]];
  if (awaits?.kind === "comment") return [["stop"]];
  if (awaits?.kind === "answer") return [["resume", "answers it"], ["stop"]];
  return [["resume"], ["stop"]];
};

const completed = ({ on, pullRequest, unpublished }: ThreadView): readonly Offer[] => {
  if (on === "issues" && unpublished > 0)
    return [
      ["solve", "resolves the issue in a pull request"],
      ["fork", "goes on from a step"],
    ];
  if (on === "pull requests") return [["fix"], ["ci"]];
  return pullRequest === null ? [] : [["fix", "on the pull request works on review comments and your note"]];
};
