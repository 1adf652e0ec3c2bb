import type { Edge } from "../store/payload.ts";
import type { WorkflowDefinition } from "./definition.ts";
import { endpoint, type PlacedEdge } from "./edges.ts";
import { atKey, atValue, type Problem } from "./source/problem.ts";
import { statusPrompt } from "./status-prompt.ts";
import { START, SUSPEND } from "./workflow.ts";

/** The key of an edge that is taken for every status that no other names. */
const ANY = "_";

type Target = NonNullable<WorkflowDefinition["graph"]>[string][string];

/** The table of a workflow in the status form. */
export const statusEdges = ({ graph }: WorkflowDefinition): PlacedEdge[] =>
  Object.entries(graph ?? {}).flatMap(([from, targets]) => {
    const entries = Object.entries(targets);
    const named = entries.filter(([status]) => status !== ANY);
    // An answer to those that wait for a person is not for this one.
    const asked = named.filter(([, { role }]) => endpoint(role) === SUSPEND).map(([status]) => status);
    return [...named, ...entries.filter(([status]) => status === ANY)].map(([status, target]) =>
      statusEdge({ from, status, target, asked }),
    );
  });

const statusEdge = ({
  from,
  status,
  target,
  asked,
}: {
  from: string;
  status: string;
  target: Target;
  asked: readonly string[];
}): PlacedEdge => {
  const path = ["graph", from, status] as const;
  const start = endpoint(from) === START;
  const { prompt, written } = statusPrompt({ ...target, first: start && status === "new" });
  const edge: Edge = { from: endpoint(from), to: endpoint(target.role), when: null, prompt, on: null };
  const places = {
    from: atKey("graph", from),
    to: atValue(...path, "role"),
    when: atKey(...path),
    prompt: atValue(...path, "prompt"),
    added: { from: written, place: atValue(...path, "location") },
  };
  if (status === ANY)
    return { edge: { ...edge, when: asked.length === 0 ? null : otherStatus(asked) }, places };
  if (!start)
    return {
      edge: { ...edge, when: statusCondition(status) },
      places,
      ...(status === SUSPEND && { problem: suspendProblem(places.when) }),
    };
  if (status === "new" || status === "resume") return { edge: { ...edge, on: status }, places };
  const message = `${START} has \`new\` and \`resume\`, not "${status}"`;
  return { edge, places, problem: { ...places.when, message } };
};

/** CEL's string literals take JSON's escapes. */
const statusCondition = (status: string): string => `output["$status"] == ${JSON.stringify(status)}`;

const otherStatus = (statuses: readonly string[]): string =>
  `!(output["$status"] in ${JSON.stringify(statuses)})`;

const suspendProblem = (place: Pick<Problem, "path" | "on">): Problem => ({
  ...place,
  message: `${SUSPEND} has no edge: the thread waits for a person`,
});
