import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Design } from "../designs.ts";
import { findingsOf } from "../dry-run/findings.ts";
import { writeTask } from "../prompts/tasks.ts";
import { together } from "../turn.ts";
import { askIn } from "./ask-in.ts";
import { backgroundOf, designOf } from "./background.ts";
import { own } from "./collected.ts";
import type { Work } from "./work.ts";

/** The loader refuses longer files. */
const MAX_FILE = 200_000;

const Written = z.object({
  yaml: z.string().min(1).max(MAX_FILE),
  summary: z.string().trim().min(1).max(4_000),
});

/** Has the file written, or mended by what its checks have found. */
export const write: Work = async function* (turn) {
  const before = await designOf(turn);
  const { state } = turn;
  const name = state.clarification_context.collected_info[own.name] ?? before?.name ?? "workflow";
  const id = before?.id ?? randomUUID();
  if (state.debug_loop_count === 0)
    yield turn.say({
      text: turn.words.writing,
      metadata: { event: "workflow_generation_started", workflow_id: id, data: JSON.stringify({ name }) },
    });
  // What the checks found in a version that was finished, or settled otherwise since, says nothing of the next.
  const findings = state.debug_loop_count > 0 && before?.dryRun ? findingsOf(before.dryRun) : [];
  const { value } = yield* askIn(turn, {
    task: writeTask(name, { findings }),
    background: await backgroundOf(turn),
    schema: Written,
    speaks: false,
  });
  const design: Design = {
    ...{ id, userId: state.user_id, name, source: value.yaml, dryRun: null },
    node: before?.node ?? null,
  };
  await turn.parts.workflows.save(design);
  turn.change({ workflow_id: id });
  const said = turn.say({
    text: value.summary,
    metadata: {
      event: "workflow_draft",
      workflow_id: id,
      data: JSON.stringify({ name, source: value.yaml, debug_loop_count: state.debug_loop_count }),
    },
  });
  yield* together([said, turn.move({ kind: "written" })]);
  return "go-on";
};
