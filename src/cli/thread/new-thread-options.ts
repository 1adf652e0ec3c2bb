import { numberOption } from "../parse-arguments.ts";

/** What every command that creates a thread takes. */
export const newThreadOptions = {
  agent: {
    type: "string",
    value: "[role=]agent",
    many: true,
    summary: "Who plays a role, or all others: a configured agent, or a command line. May be given again.",
  },
  model: { type: "string", value: "a", summary: "The alias of a configured model, for every role." },
  budget: { type: "string", value: "usd", summary: "Dollars that may be spent." },
} as const;

/** The dollars in `--budget`; undefined without it. Throws `usage`. */
export const budgetOf = (text: string | undefined, { name }: { name: string }): number | undefined =>
  text === undefined ? undefined : numberOption(text, { name, option: "budget", min: 0.01 });
