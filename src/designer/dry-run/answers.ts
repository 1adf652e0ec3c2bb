import type { Json } from "../../base/json.ts";
import { outputSchema } from "../../workflow/schema.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { type Terms, termsOf, together } from "./condition-terms.ts";
import { samplesOf } from "./samples.ts";

/** What the conditions of a workflow look at. */
export type Asked = {
  /** By role: answers that fit its schema, the plainest first. */
  answers: ReadonlyMap<string, readonly Json[]>;
  /** Role → fields of its answers that conditions behind later roles look at. */
  remembered: ReadonlyMap<string, ReadonlySet<string>>;
  /** Roles whose visits are counted, and up to which number that matters. */
  counted: ReadonlySet<string>;
  countTo: number;
  /** Texts and triggers that threads are begun with. */
  inputs: readonly string[];
  triggers: readonly string[];
};

const PLAIN_INPUT = "Do what the workflow is for.";
const MOST_COUNTED = 20;
const MOST_INPUTS = 8;

/** Stub agents: for each role the answers that a dry run tries. */
export const askedOf = async ({ roles, moderator }: Workflow): Promise<Asked> => {
  const terms = await Promise.all(moderator.map(({ when }) => termsOf(when)));
  const names = Object.keys(roles);
  const mentioning = (name: string): Terms =>
    together(terms.filter(({ paths }) => paths.some(([first]) => first === name)));
  const remembered = new Map(names.map((role) => [role, fieldsOf(terms, ["steps", role])]));
  const answers = new Map<string, Json[]>();
  for (const [name, { schema }] of Object.entries(roles)) {
    const own = terms.filter((_, index) => moderator[index]?.from === name);
    const later = terms.filter(({ paths }) => paths.some((path) => path[0] === "steps" && path[1] === name));
    const deciding = new Set([...fieldsOf(own, ["output"]), ...(remembered.get(name) ?? [])]);
    const samples = samplesOf(schema, { terms: together([...own, ...later]), deciding });
    const fits = outputSchema(schema);
    answers.set(
      name,
      samples.filter((value) => fits.safeParse(value).success),
    );
  }
  const visits = mentioning("visits");
  return {
    answers,
    remembered,
    counted: new Set(
      visits.paths.some(([first, role]) => first === "visits" && role === undefined)
        ? names
        : fieldsOf(terms, ["visits"]),
    ),
    countTo: Math.min(MOST_COUNTED, Math.max(0, ...visits.numbers)) + 1,
    inputs: [PLAIN_INPUT, ...mentioning("input").strings].slice(0, MOST_INPUTS),
    triggers: [...new Set(["solve", ...mentioning("trigger").strings])].slice(0, MOST_INPUTS),
  };
};

/** The names that stand behind a way: `["output"]` finds `status` in `output.status`. */
const fieldsOf = (terms: readonly Terms[], way: readonly string[]): Set<string> =>
  new Set(
    terms.flatMap(({ paths }) =>
      paths.flatMap((path) => {
        const next = path[way.length];
        return next !== undefined && way.every((step, at) => path[at] === step) ? [next] : [];
      }),
    ),
  );
