import { resolves } from "../../src/llm/scripted-model.ts";
import type { ModelServerRequest, RoleStep } from "./model-script.ts";

type Work = {
  summary: string;
  changes: readonly { path: string; what: string }[];
  verification: readonly { command: string; result: "passed" | "failed" | "not-run" }[];
};

/** The roles of `develop` around a coder who does the work in `steps` and then reports it: one reply each, no findings. */
export const developRoles = (
  steps: readonly RoleStep[],
  { summary, changes, verification }: Work,
): Readonly<Record<"planner" | "coder" | "reviewer" | "tester" | "committer", readonly RoleStep[]>> => {
  const report = {
    status: "done",
    summary,
    changes: [...changes],
    verification: [...verification],
    open: null,
  };
  const checks = verification.map(({ command }) => command);
  const plan = {
    ...{ summary, acceptance: summary, checks, risks: null },
    steps: [{ what: summary, where: changes[0]?.path ?? "." }],
  };
  return {
    planner: [resolves(plan)],
    coder: [...steps, resolves({ ...report, decided: null })],
    reviewer: [resolves({ status: "approved", summary, findings: [] })],
    tester: [resolves({ status: "passed", summary, verification: report.verification, failures: [] })],
    committer: [resolves({ ...report, message: summary })],
  };
};

/** Whether the role that asks may answer with this field: roles of two workflows can have one name. */
export const answersWith = (field: string, { body }: Pick<ModelServerRequest, "body">): boolean =>
  JSON.stringify(body.tools ?? "").includes(`"${field}"`);

/** The steps of two roles of one name, told apart by a field that only the first one answers with. */
export const eitherRole = (
  field: string,
  [one, other]: readonly [readonly RoleStep[], readonly RoleStep[]],
): RoleStep[] =>
  Array.from(
    { length: Math.max(one.length, other.length) },
    (_, index): RoleStep =>
      (request) => {
        const step = (answersWith(field, request) ? one : other)[index];
        if (step === undefined) throw new Error(`this role's script is over after ${index} steps`);
        return typeof step === "function" ? step(request) : step;
      },
  );
