import { bugError } from "../../base/errors.ts";
import { workflowNodes } from "../../workflow/nodes.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { Design } from "../designs.ts";
import { checkFile } from "../dry-run/check-file.ts";
import { findingsOf } from "../dry-run/findings.ts";
import type { ConversationResponse } from "../messages.ts";
import { type Turn, together } from "../turn.ts";
import { designOf } from "./background.ts";
import { own } from "./collected.ts";
import { askToReplace, mayHaveName } from "./name.ts";
import type { Work } from "./work.ts";

/** Checks the file; what is found goes back to generation a few times, and what is sound is finished. */
export const debug: Work = async function* (turn) {
  const design = await designOf(turn);
  if (design === undefined) throw bugError("there is no file to check");
  const name = turn.state.clarification_context.collected_info[own.name] ?? design.name;
  const { workflow, dryRun } = await checkFile(design.source, {
    name,
    catalogue: await turn.parts.catalogue(),
  });
  await turn.parts.workflows.save({ ...design, dryRun });
  const findings = findingsOf(dryRun);
  const { words } = turn;
  const debug_loop_count = turn.state.debug_loop_count + (findings.length > 0 ? 1 : 0);
  turn.change({ debug_loop_count });
  const said = turn.say({
    text: words.checked({ edges: dryRun.edges.length, findings: findings.length }),
    metadata: {
      event: "workflow_debugging",
      workflow_id: design.id,
      data: JSON.stringify({ name, debug_loop_count, dry_run: dryRun }),
    },
  });
  if (workflow !== null && findings.length === 0) {
    yield said;
    return yield* complete(turn, { design: { ...design, dryRun }, workflow });
  }
  const moved = turn.move({ kind: "faulty" });
  if (turn.state.stage === "workflow_generation") {
    yield* together([said, moved]);
    return "go-on";
  }
  const asked = turn.say({ text: words.stillFaulty(findings), message_type: "question" }, { final: "final" });
  yield* together([said, asked]);
  return "wait";
};

type Sound = { design: Design; workflow: Workflow };

/** Finishes it, unless something else has come to have its name. */
async function* complete(
  turn: Turn,
  { design, workflow }: Sound,
): AsyncGenerator<ConversationResponse, "wait", void> {
  const { name } = workflow;
  if (!(await mayHaveName(turn, name, workflowNodes(workflow).workflow.hash))) {
    yield* together([turn.move({ kind: "taken" }), askToReplace(turn, name)]);
    return "wait";
  }
  const node = await turn.parts.workflows.register(workflow);
  await turn.parts.workflows.save({ ...design, name, node });
  turn.change({ debug_loop_count: 0 });
  const moved = turn.move({ kind: "passed" });
  const made = { name, roles: Object.keys(workflow.roles).length };
  const { words } = turn;
  const said = turn.say(
    {
      text: turn.parts.workflows.into === "registry" ? words.complete(made) : words.proposed(made),
      metadata: {
        event: "workflow_complete",
        workflow_id: design.id,
        data: JSON.stringify({ name, node, source: design.source, dry_run: design.dryRun }),
      },
    },
    { final: "final" },
  );
  yield* together([moved, said]);
  return "wait";
}
