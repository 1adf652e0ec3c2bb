import { newThreadId, type ThreadId } from "../src/base/ids.ts";
import { makeNode, type Node } from "../src/store/node.ts";
import type { Usage } from "../src/store/payload.ts";
import type { Store } from "../src/store/store.ts";
import { startThread } from "../src/thread/start.ts";
import { stubThread, stubWorkflow } from "./stub-workflow.ts";

/** What one step leaves: turns of some hundred characters, an answer, and itself. */
const TURNS = 8;
const NODES = TURNS + 2;
const STEPS = 100;
const AT_ONCE = 100;

const noUsage: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: null };

/** Threads of a hundred steps each, all under way at the same time, so that their nodes lie among each other's. */
export const fillWithThreads = async (store: Store, nodes: number): Promise<ThreadId[]> => {
  const workflow = await stubWorkflow();
  const count = Math.round(nodes / NODES / STEPS);
  const threads = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      startThread(store, {
        ...stubThread(workflow, { steps: STEPS, source: null }),
        id: newThreadId(),
        input: `Thread ${n}`,
      }),
    ),
  );
  const heads = threads.map(({ start }) => start);
  const agents = await Promise.all(
    threads.map(async ({ start }) => (await store.load("thread-start", start)).agents),
  );
  for (let step = 0; step < STEPS; step++)
    for (let first = 0; first < count; first += AT_ONCE) {
      const made = threads.slice(first, first + AT_ONCE).flatMap(({ start }, place) => {
        const n = first + place;
        const nodesOfStep = stepNodes(`${n} ${step}`, {
          start,
          prev: step === 0 ? null : (heads[n] ?? null),
          agent: agents[n]?.worker ?? start,
        });
        heads[n] = nodesOfStep.at(-1)?.hash ?? start;
        return nodesOfStep;
      });
      await store.put(made);
    }
  for (const [n, { id, start }] of threads.entries())
    await store.advance(id, {}, { head: heads[n] ?? start, status: "completed" });
  return threads.map(({ id }) => id);
};

type Place = { start: Node["hash"]; prev: Node["hash"] | null; agent: Node["hash"] };

/** The step comes last. */
const stepNodes = (name: string, place: Place): Node[] => {
  const turns: Node[] = [];
  for (let n = 0; n < TURNS; n++) {
    const text = `${name} ${n} ${"x".repeat(300)}`;
    turns.push(makeNode("turn", { kind: "message", prev: turns.at(-1)?.hash ?? null, text, at: 0 }));
  }
  const output = makeNode("output", { value: { name, text: "y".repeat(400) } });
  const step = makeNode("step", {
    ...place,
    role: "worker",
    task: "Work.",
    output: output.hash,
    turns: turns.at(-1)?.hash ?? null,
    workspace: null,
    refs: [],
    published: null,
    usage: noUsage,
    startedAt: 0,
    finishedAt: 0,
  });
  return [...turns, output, step];
};
