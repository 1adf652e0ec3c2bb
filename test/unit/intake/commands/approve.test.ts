import { afterEach, beforeEach, expect, it } from "vitest";
import type { Hash } from "../../../../src/base/ids.ts";
import { threadMarker } from "../../../../src/forge/text/marker.ts";
import { planBlock } from "../../../../src/forge/text/plan.ts";
import { handleComment } from "../../../../src/intake/comments.ts";
import { makeNode } from "../../../../src/store/node.ts";
import { loadWorkflow } from "../../../../src/workflow/load.ts";
import { type FakeForge, fakeForge } from "../../../fixtures/fake-forge.ts";
import { anIssue, askedOf, intakeParts, PLACE, RECEIVED } from "../../../fixtures/intake-parts.ts";
import { noUsage } from "../../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../../fixtures/temporary-store.ts";

const planned = `version: 1
name: planned
description: Plans, then works.
roles:
  planner: { description: Plans., systemPrompt: You plan., approval: required, schema: { type: object } }
  worker: { description: Works., systemPrompt: You work., schema: { type: object } }
moderator:
  - { from: $START, to: planner }
  - { from: planner, to: worker }
  - { from: worker, to: $END }
`;
const PLAN = { summary: "Say why." };

let temporary: TemporaryStore;
let forge: FakeForge;
beforeEach(() => {
  temporary = temporaryStore();
  forge = fakeForge();
});
afterEach(() => temporary.dispose());

/** The word was received at `RECEIVED` by the bot's clock. */
const say = (body: string, { at, id }: { at: number; id: string }) => {
  const findWorkflow = async () => loadWorkflow(planned, { file: "planned.yaml" });
  const parts = intakeParts({ store: temporary.store, forge }, { findWorkflow });
  return handleComment(parts, askedOf(forge, {}, id), {
    ...{ ...PLACE, defaultBranch: "main", sender: { login: "mona", id: 1, isBot: false } },
    ...{ kind: "commented", issue: anIssue(), comment: { id: 5, body, url: "", at } },
  });
};

/** A plan that was made at this time by the bot's clock, and shown at this one by the forge's. */
const shown = async ({ finishedAt, editedAt }: { finishedAt: number; editedAt: number }) => {
  const { store } = temporary;
  const thread = await say("/plan", { at: RECEIVED, id: "d1" });
  if (thread === undefined) throw new Error("nothing was started");
  const { agents } = await store.load("thread-start", thread.start);
  const output = makeNode("output", { value: PLAN });
  const step = makeNode("step", {
    ...{ start: thread.start, prev: null, role: "planner", agent: agents.planner ?? ("" as Hash) },
    ...{ task: "Plan.", output: output.hash, turns: null, workspace: null, refs: [], published: null },
    ...{ usage: noUsage, startedAt: finishedAt, finishedAt },
  });
  await store.put([output, step]);
  await store.advance(thread.id, {}, { head: step.hash, status: "suspended" });
  await forge.createComment(12, `${threadMarker(thread.id)}\n${planBlock(PLAN)}`);
  const { findComment } = forge;
  forge.findComment = async (issue, marker) => {
    const found = await findComment(issue, marker);
    return found === undefined ? undefined : { ...found, editedAt };
  };
  return thread;
};

const HOUR = 3_600_000;

it.each([
  ["follows the plan", { finishedAt: RECEIVED - 5, editedAt: RECEIVED + 1, at: RECEIVED }],
  [
    "follows it by the forge's clock alone",
    { finishedAt: RECEIVED + HOUR, editedAt: RECEIVED, at: RECEIVED },
  ],
  [
    "follows it while the bot's clock is behind",
    { finishedAt: RECEIVED - 5, editedAt: RECEIVED + HOUR, at: RECEIVED + HOUR },
  ],
])("approves with a word that %s", async (_how, { at, ...times }) => {
  await shown(times);

  expect((await say("/approve", { at, id: "d2" }))?.status).toBe("queued");
});

it.each([
  ["by both clocks", { finishedAt: RECEIVED + 5, editedAt: RECEIVED + 1_000, at: RECEIVED }],
  [
    "while the bot's clock is behind",
    { finishedAt: RECEIVED + 5, editedAt: RECEIVED + HOUR + 1_000, at: RECEIVED + HOUR },
  ],
])("does not approve with a word that came before the plan, %s", async (_how, { at, ...times }) => {
  const { id } = await shown(times);

  expect(await say("/approve", { at, id: "d2" })).toBeUndefined();
  expect(await temporary.store.link(id, "notice")).toContain("the plan was changed after you wrote that");
});
