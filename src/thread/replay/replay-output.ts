import { isResolve } from "../../agents/read-call.ts";
import { type ResolveTool, resolveTool } from "../../agents/resolve-tool.ts";
import { shortDiff } from "../../base/line-diff.ts";
import type { Payload } from "../../store/payload.ts";
import type { StepRecord } from "../../store/store.ts";
import { outputSchema } from "../../workflow/schema.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { Playback } from "./playback.ts";
import type { Heard } from "./replay-turns.ts";

/** Reads the step's output again, by the schema of the role in the workflow that decides, and compares it with the record. */
export const replayOutput = async (
  { recorded, instead }: Pick<Playback, "recorded" | "instead">,
  { workflow, record, heard }: { workflow: Workflow; record: StepRecord; heard: Pick<Heard, "drift"> },
): Promise<void> => {
  const { step, output } = record;
  const role = (instead ?? workflow).roles[step.role];
  if (role === undefined) {
    heard.drift("output", `The workflow ${(instead ?? workflow).name} has no role ${step.role}.`);
    return;
  }
  const resolve = resolveTool(outputSchema(role.schema));
  const turns = step.turns === null ? [] : await recorded.turns(step.turns);
  const read = handedIn(turns, resolve) ?? resolve.read(JSON.stringify({ output }));
  if (!read.ok) {
    heard.drift("output", "The output is not valid.", { diff: read.problems.split("\n") });
    return;
  }
  const [was, is] = [output, read.value].map((value) => JSON.stringify(inOrder(value), null, 2));
  if (was !== is)
    heard.drift("output", "The output is read as another one.", { diff: shortDiff(was ?? "", is ?? "") });
};

/** What the model handed in; undefined where no model did by a call: in a conversation it hands in parts of that. */
const handedIn = (turns: readonly Payload<"turn">[], resolve: ResolveTool<unknown>) => {
  if (turns.some(({ kind }) => kind === "state")) return undefined;
  const last = turns.findLast((turn) => turn.kind === "reply");
  const call = last?.kind === "reply" ? last.toolCalls.find(isResolve) : undefined;
  return call === undefined ? undefined : resolve.read(call.arguments);
};

/** With the properties in one order: that of a record is its own. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, inOrder(one)]),
  );
};
