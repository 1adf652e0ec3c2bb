import type { AgentState, ClarificationContext } from "../agent-state.ts";

/** What the program itself keeps among the collected facts: not the model's to set. */
export const own = {
  name: "workflow_name",
  /** The name of the workflow that the person lets the new one replace. */
  replaces: "replaces",
  /** Ways between which the person should choose. */
  choices: "open_choices",
  chosen: "chosen_alternative",
} as const;

const reserved = new Set<string>(Object.values(own));

/** The facts with what was learned; an empty text takes one back. */
export const learned = (
  known: Readonly<Record<string, string>>,
  told: Readonly<Record<string, string>>,
): Record<string, string> => {
  const ours = Object.entries(told).filter(([key]) => !reserved.has(key));
  return withoutEmpty({ ...known, ...Object.fromEntries(ours) });
};

/** The state's context, with changes; facts with an empty text go. */
export const contextWith = (
  { clarification_context }: Pick<AgentState, "clarification_context">,
  { facts = {}, ...change }: Partial<ClarificationContext> & { facts?: Readonly<Record<string, string>> },
): ClarificationContext => ({
  ...clarification_context,
  ...change,
  collected_info: withoutEmpty({
    ...(change.collected_info ?? clarification_context.collected_info),
    ...facts,
  }),
});

const withoutEmpty = (facts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== ""));
