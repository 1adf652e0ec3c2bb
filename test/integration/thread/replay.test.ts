import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CUT_OFF } from "../../../src/agents/loop-texts.ts";
import type { Hash } from "../../../src/base/ids.ts";
import { calls, resolves, says, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { makeNode, type Node } from "../../../src/store/node.ts";
import type { Payload } from "../../../src/store/payload.ts";
import type { Store, ThreadRecord } from "../../../src/store/store.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import type { ThreadEvent } from "../../../src/thread/events.ts";
import { forkThread } from "../../../src/thread/fork.ts";
import { MOVED } from "../../../src/thread/open-workspace.ts";
import { runThread } from "../../../src/thread/run.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import { replayAll, replayed } from "../../fixtures/replay-rig.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const yaml = (more: { when?: string; count?: string; prompt?: string } = {}) => `
version: 1
name: count
description: One looks, one writes.
roles:
  looker:
    description: Looks.
    systemPrompt: You look.
    schema: { type: object, required: [status, n], properties: { status: { enum: [done, again] }, n: { ${more.count ?? "type: integer"} } } }
  writer:
    description: Writes.
    systemPrompt: You write.
    schema: { type: object, required: [status], properties: { status: { enum: [done] } } }
moderator:
  - { from: $START, to: looker }
  - { from: looker, to: writer, when: '${more.when ?? "output.n == 3"}', prompt: "${more.prompt ?? "Write {{ n }} lines."}" }
  - { from: looker, to: $END }
  - { from: writer, to: $END }
`;

const never = () => new AbortController().signal;
const shell = (command: string) => calls("shell_exec", { command });
const looked = resolves({ status: "done", n: 3 });
const done = resolves({ status: "done" });

let source: GitSource;
let bench: ThreadBench;
beforeEach(() => {
  source = gitSource({ "a.txt": "one\ntwo\n", ".gitignore": "made\n" });
});
afterEach(async () => {
  await bench.dispose();
  source.dispose();
});

type Replies = Parameters<typeof scriptedModel>[0];

const ran = async (
  replies: Replies,
  settings?: Payload<"thread-start">["settings"],
): Promise<ThreadRecord> => {
  bench = await threadBench(scriptedModel(replies));
  const { id } = await bench.start(yaml(), {
    repository: source.repository,
    ...(settings === undefined ? {} : { settings }),
  });
  return runThread(bench.engine, id, { signal: never() });
};

const ordinary: Replies = [
  calls("read_file", { path: "a.txt" }),
  shell("date; date +%s%3N; echo took 3ms; mktemp -u; ls -l"),
  looked,
  calls("patch_file", { path: "a.txt", old_text: "two", new_text: "2" }),
  calls("read_file", { path: "a.txt" }),
  calls("patch_file", { path: "a.txt", old_text: "two", new_text: "2" }),
  calls("no_such_tool", {}),
  shell("wc -l a.txt; pwd; exit 3"),
  done,
];

/** The store with other payloads for some nodes: a record that says something else. */
const retold = (store: Store, changes: ReadonlyMap<Hash, Node>): Store => {
  const changed = <T>(hash: Hash, payload: T): T => (changes.get(hash)?.payload as T | undefined) ?? payload;
  return {
    ...store,
    get: async (hash) => changes.get(hash) ?? store.get(hash),
    load: async (type, hash) => changed(hash, await store.load(type, hash)),
    loadAll: async (type, hashes) =>
      (await store.loadAll(type, hashes)).map((payload, index) => changed(hashes[index] as Hash, payload)),
    turns: async (tip) => {
      const turns: Payload<"turn">[] = [];
      for (let at: Hash | null = tip; at !== null; at = turns[0]?.prev ?? null)
        turns.unshift(changed(at, await store.load("turn", at)));
      return turns;
    },
    history: async (head) => {
      const history = await store.history(head);
      return {
        ...history,
        steps: history.steps.map((each) => ({ ...each, step: changed(each.hash, each.step) })),
      };
    },
  };
};

type ToolTurn = Extract<Payload<"turn">, { kind: "tool" }>;

/** The first turn of a step, from its end on, that `change` makes another one of. */
const otherTurn = async (
  thread: ThreadRecord,
  step: number,
  change: (turn: ToolTurn) => ToolTurn | null,
): Promise<Map<Hash, Node>> => {
  const { steps } = await bench.store.history(thread.head);
  for (let at = steps[step - 1]?.step.turns ?? null; at !== null; ) {
    const turn: Payload<"turn"> = await bench.store.load("turn", at);
    const other = turn.kind === "tool" ? change(turn) : null;
    if (other !== null) return new Map([[at, makeNode("turn", other)]]);
    at = turn.prev;
  }
  throw new Error("no such turn");
};

const otherAnswer = (thread: ThreadRecord, step: number, change: (turn: ToolTurn) => string | null) =>
  otherTurn(thread, step, (turn) => {
    const text = change(turn);
    return text === null ? null : { ...turn, text };
  });

const replay = (thread: ThreadRecord, options?: Parameters<typeof replayed>[2], store = bench.store) =>
  replayed({ root: bench.root, store }, thread, options);

const counted = async (): Promise<number> => {
  let nodes = 0;
  for await (const _ of bench.store.allNodes()) nodes++;
  return nodes;
};

describe("replayThread", () => {
  it("finds no drift, asks no model, and leaves nothing behind", async () => {
    const thread = await ran(ordinary);
    const before = [await counted(), await bench.store.threads({ limit: 10 })];

    const { drift, remarks, steps, workflow } = await replay(thread);

    expect(drift).toEqual([]);
    expect(remarks).toEqual([]);
    expect(steps.map(({ step, role, calls: ran, finished }) => [step, role, ran, finished])).toEqual([
      [1, "looker", 2, true],
      [2, "writer", 5, true],
    ]);
    expect(workflow.name).toBe("count");
    expect([await counted(), await bench.store.threads({ limit: 10 })]).toEqual(before);
    const left = readdirSync(join(bench.root, "workspaces")).filter((name) => /^[0-9A-Z]{26}$/.test(name));
    expect(left.filter((name) => existsSync(join(bench.root, "workspaces", name, "state.json")))).toEqual([]);
  });

  it.each([
    ["a number in a program's result", "wc", "2 a.txt", "5 a.txt"],
    ["an exit code", "wc", "exit code 3", "exit code 0"],
  ])("tells the call whose answer is another one: %s", async (_what, _tool, was, recorded) => {
    const thread = await ran(ordinary);
    const changes = await otherAnswer(thread, 2, ({ text }) =>
      text.includes(was) ? text.replace(was, recorded) : null,
    );

    const { drift } = await replay(thread, {}, retold(bench.store, changes));

    expect(drift).toMatchObject([
      {
        kind: "answer",
        step: 2,
        role: "writer",
        what: "It answers something else.",
        call: { number: 5, name: "shell_exec", arguments: expect.stringContaining("wc -l") },
      },
    ]);
    expect(drift[0]?.diff.join("\n")).toMatch(new RegExp(`^- .*${recorded}(.|\\n)*^\\+ .*${was}`, "m"));
  });

  it("does not take the text of a file for a time", async () => {
    const thread = await ran(ordinary);
    const changes = await otherAnswer(thread, 1, ({ name, text }) =>
      name === "read_file" ? text.replace("two", "took 5 ms") : null,
    );

    const { drift } = await replay(thread, {}, retold(bench.store, changes));

    expect(drift).toMatchObject([{ kind: "answer", step: 1, call: { number: 1, name: "read_file" } }]);
  });

  it("tells the file that is another one after a step, once", async () => {
    const thread = await ran([shell("date +%N > stamp.txt"), looked, calls("list_files", {}), done]);

    const { drift } = await replay(thread);

    expect(drift).toMatchObject([
      { kind: "file", step: 1, role: "looker", what: "stamp.txt: has other contents.", call: null },
    ]);
    expect(drift[0]?.diff).toEqual([expect.stringMatching(/^- \d{9}$/), expect.stringMatching(/^\+ \d{9}$/)]);
  });

  it("tells the commit and the answers that are others when the files were others at the beginning", async () => {
    const thread = await ran([
      calls("read_file", { path: "a.txt" }),
      shell("echo 1 > one.txt"),
      looked,
      shell("cat a.txt; echo new > new.txt"),
      done,
    ]);
    const { start } = await bench.store.history(thread.head);
    const begun = await bench.store.load("workspace", start.workspace as Hash);
    source.commit({ "a.txt": "one\nand a half\ntwo\n" });
    const tip = await bench.engine.workspaces.fetch(
      { repository: source.repository },
      { branch: null, signal: never() },
    );
    const other = makeNode("workspace", { ...begun, base: tip.commit, tree: tip.tree });
    const changes = new Map<Hash, Node>([[start.workspace as Hash, other]]);

    const { drift } = await replay(thread, {}, retold(bench.store, changes));

    expect(drift.map(({ step, kind, call }) => [step, kind, call?.name])).toEqual([
      [1, "answer", "read_file"],
      [1, "base", undefined],
      [2, "answer", "shell_exec"],
    ]);
    expect(drift[0]?.diff).toContainEqual(expect.stringMatching(/^\+ .*and a half$/));
    expect(drift[1]?.what).toContain(tip.commit.slice(0, 12));
  });

  it("tells the step that would go elsewhere by another workflow, and the task that would be another one", async () => {
    const thread = await ran([looked, done]);
    const workflow = (more: Parameters<typeof yaml>[0]) => loadWorkflow(yaml(more), { file: "other.yaml" });

    const elsewhere = await replay(thread, { workflow: await workflow({ when: "output.n > 3" }) });
    const otherTask = await replay(thread, { workflow: await workflow({ prompt: "Write {{ n }} words." }) });
    const same = await replay(thread, { workflow: await workflow({ when: "output.n >= 3" }) });

    expect(elsewhere.drift).toMatchObject([
      { kind: "decision", step: 2, role: "writer", what: "The workflow ends, and went on with writer." },
    ]);
    expect(otherTask.drift).toMatchObject([
      {
        kind: "decision",
        step: 2,
        what: "It is given another task.",
        diff: ["- Write 3 lines.", "+ Write 3 words."],
      },
    ]);
    expect(same.drift).toEqual([]);
  });

  it("tells where another workflow would go instead of a step that has not finished", async () => {
    const thread = await ran([looked, shell("true"), new Error("nothing more")]);
    const workflow = (more: Parameters<typeof yaml>[0]) => loadWorkflow(yaml(more), { file: "other.yaml" });

    const elsewhere = await replay(thread, { workflow: await workflow({ when: "output.n > 3" }) });
    const same = await replay(thread, { workflow: await workflow({ when: "output.n >= 3" }) });

    expect(thread.status).toBe("failed");
    expect(elsewhere.drift).toMatchObject([
      { kind: "decision", step: 2, role: "writer", what: "The workflow ends, and went on with writer." },
    ]);
    expect(same.drift).toEqual([]);
  });

  it("tells the output that would not be valid any more by another workflow", async () => {
    const thread = await ran([looked, done]);
    const workflow = await loadWorkflow(yaml({ count: "type: integer, maximum: 2" }), { file: "other.yaml" });

    const { drift } = await replay(thread, { workflow });

    expect(drift).toMatchObject([
      { kind: "output", step: 1, role: "looker", what: "The output is not valid." },
    ]);
    expect(drift[0]?.diff.join()).toContain("n");
  });

  it("runs the repository's setup again where it was run, and compares what came of it", async () => {
    const settings = {
      ...{
        branchPrefix: "uwf/",
        draft: "always" as const,
        instructions: null,
        protectedPaths: [],
        reviewers: [],
      },
      setup: ["mkdir made; echo $((40 + 2)) > made/n; echo ready", "false"],
    };
    const thread = await ran([shell("cat made/n"), looked, shell("cat made/n"), done], settings);

    const { drift, steps } = await replay(thread);

    expect(drift).toEqual([]);
    expect(steps.map(({ calls: ran }) => ran)).toEqual([1, 1]);
  });

  it("plays a fork with the steps that it shares, each in the directory that it had", async () => {
    const origin = await ran([
      shell("echo first > b.txt; mkdir -p made; touch made/ignored"),
      looked,
      shell("cat b.txt; ls made"),
      done,
      shell("cat b.txt; ls made"),
      done,
    ]);
    const { id } = await forkThread(bench.engine, origin.id, { at: "1", note: "Take care." });
    const fork = await runThread(bench.engine, id, { signal: never() });

    expect(fork.status).toBe("completed");
    expect((await replay(fork)).drift).toEqual([]);
    expect((await replay(origin)).drift).toEqual([]);
  });

  it("plays what was done before a failure, a question and a person's note", async () => {
    const failed = await ran([
      shell("echo half > half.txt"),
      says("no"),
      says("no"),
      says("no"),
      shell("cat half.txt"),
      resolves({ $status: "$SUSPEND", reason: "Which?" }),
      shell("cat half.txt"),
      looked,
      done,
    ]);
    expect(failed.status).toBe("failed");
    expect((await replay(failed)).steps).toMatchObject([
      { step: 1, role: "looker", finished: false, calls: 1 },
    ]);
    const run = async (note: string | null) => {
      await resumeThread(bench.engine, failed.id, note);
      return runThread(bench.engine, failed.id, { signal: never() });
    };

    const suspended = await run("Try again.");
    const first = await replay(suspended);
    const completed = await run(null);
    const second = await replay(completed);

    expect([suspended.status, completed.status]).toEqual(["suspended", "completed"]);
    expect(first.drift).toEqual([]);
    expect(second.drift).toEqual([]);
    expect(second.steps.map(({ role, finished }) => [role, finished])).toEqual([
      ["looker", false],
      ["looker", true],
      ["looker", true],
      ["writer", true],
    ]);
  });

  it("plays every try at a step that failed more than once", async () => {
    const failing = (n: number) => [
      shell(`mkdir made; echo ${n} >> tries.txt; cat tries.txt`),
      ...[says("no"), says("no"), says("no")],
    ];
    const failed = await ran([...failing(1), ...failing(2), shell("cat tries.txt"), looked, done]);
    const again = async () => {
      await resumeThread(bench.engine, failed.id, null);
      return runThread(bench.engine, failed.id, { signal: never() });
    };
    const twice = await again();
    const open = await replay(twice);
    const completed = await again();
    const whole = await replay(completed);

    expect([failed.status, twice.status, completed.status]).toEqual(["failed", "failed", "completed"]);
    expect(open.drift).toEqual([]);
    expect(open.steps.map(({ role, finished }) => [role, finished])).toEqual([
      ["looker", false],
      ["looker", false],
    ]);
    expect(whole.drift).toEqual([]);
    expect(whole.steps.map(({ finished }) => finished)).toEqual([false, false, true, true]);
  });

  it("does not run a call again that was cut off, and does not count what differs after it in its step", async () => {
    const thread = await ran([
      shell("echo half >> a.txt"),
      shell("tail -n 1 a.txt"),
      looked,
      shell("tail -n 1 a.txt"),
      done,
    ]);
    const changes = await otherTurn(thread, 1, (turn) =>
      turn.text.includes("no output") ? { ...turn, ok: false, text: CUT_OFF } : null,
    );

    const { drift, remarks, steps } = await replay(thread, {}, retold(bench.store, changes));

    expect(drift).toEqual([]);
    expect(remarks.map(({ step, call, what }) => [step, call?.number, what])).toEqual([
      [1, 1, "not run again: it was cut off, and nobody knows how far it had come"],
      [1, 2, "not judged, because a call before was cut off: It answers something else."],
      [1, undefined, "not judged, because a call before was cut off: a.txt: was changed or new, and is not."],
    ]);
    expect(steps.map(({ calls: run }) => run)).toEqual([1, 1]);
  });

  it("puts the files of an external agent in place, and does not run it", async () => {
    const thread = await ran([shell("date +%N > stamp.txt"), looked, shell("cat stamp.txt"), done]);
    const [first] = (await bench.store.history(thread.head)).steps;
    if (first === undefined) throw new Error("no step");
    const agent = makeNode("agent", {
      ...{ adapter: "command", name: "helper", command: "helper", args: [], env: [], timeoutSeconds: 1 },
      ...{ protocol: "text", preset: null, sandbox: "thread", extract: null },
    });
    await bench.store.put([agent]);
    const step = makeNode("step", { ...first.step, agent: agent.hash });
    const changes = new Map<Hash, Node>([[first.hash, step]]);

    const { drift, remarks, steps } = await replay(thread, {}, retold(bench.store, changes));

    expect(drift).toEqual([]);
    expect(remarks).toMatchObject([
      { step: 1, role: "looker", call: null, what: "not replayed: an external agent (helper)" },
    ]);
    expect(steps.map(({ calls: run }) => run)).toEqual([0, 1]);
  });

  it("takes what tools of servers have answered from the record", async () => {
    const thread = await ran([calls("docs_search", { query: "x" }), looked, done]);
    const { start } = await bench.store.history(thread.head);
    const hash = start.agents.looker as Hash;
    const agent = await bench.store.load("agent", hash);
    const server = { command: null, args: [], env: [], url: "http://127.0.0.1:9", tools: null };
    const mcp = [{ ...server, name: "docs", timeoutSeconds: 1 }];
    const changes = await otherAnswer(thread, 1, () => "found");
    changes.set(hash, makeNode("agent", { ...agent, mcp } as Payload<"agent">));

    const { drift, remarks } = await replay(thread, {}, retold(bench.store, changes));

    expect(drift).toEqual([]);
    expect(remarks).toMatchObject([
      { call: { name: "docs_search" }, what: expect.stringContaining("taken from the record") },
    ]);
  });

  it("makes the directory anew where the work went on on another machine", async () => {
    bench = await threadBench(
      scriptedModel([
        shell("mkdir made; echo gone > made/x; echo kept > kept.txt"),
        shell("ls made; cat kept.txt"),
        looked,
        done,
      ]),
    );
    const { id } = await bench.start(yaml(), { repository: source.repository });
    const drain = new AbortController();
    const engine = {
      ...bench.engine,
      captures: "each-turn" as const,
      emit: (event: ThreadEvent) => {
        if (event.kind === "tool-finished") drain.abort();
      },
    };
    expect(await runThread(engine, id, { signal: never(), drain: drain.signal })).toMatchObject({
      status: "queued",
    });
    await bench.store.setLink(id, "workspace", "elsewhere");
    const thread = await runThread(bench.engine, id, { signal: never() });
    const turns = await bench.store.turns(
      (await bench.store.history(thread.head)).steps[0]?.step.turns as Hash,
    );

    const { drift } = await replay(thread);

    expect(turns.some((turn) => turn.kind === "message" && turn.text === MOVED)).toBe(true);
    expect(turns.some((turn) => turn.kind === "tool" && turn.text.includes("cannot access 'made'"))).toBe(
      true,
    );
    expect(drift).toEqual([]);
  });

  it("plays what there is of a step that is under way", async () => {
    bench = await threadBench(scriptedModel([shell("cat a.txt")]));
    const { id } = await bench.start(yaml(), { repository: source.repository });
    const drain = new AbortController();
    const emit = (event: ThreadEvent) => {
      if (event.kind === "tool-finished") drain.abort();
    };
    const thread = await runThread({ ...bench.engine, emit }, id, { signal: never(), drain: drain.signal });

    const { drift, steps } = await replay(thread);

    expect(drift).toEqual([]);
    expect(steps).toMatchObject([{ step: 1, role: "looker", finished: false, calls: 1 }]);
  });

  it("plays a thread without a repository", async () => {
    bench = await threadBench(scriptedModel([shell("echo x > y; cat y"), looked, shell("cat y"), done]));
    const { id } = await bench.start(yaml());
    const thread = await runThread(bench.engine, id, { signal: never() });

    expect(await replayAll({ root: bench.root, store: bench.store })).toEqual([]);
    expect(thread.status).toBe("completed");
  });

  it("stops when it is told to, and removes its workspace", async () => {
    const thread = await ran([shell("sleep 0.1"), looked, done]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 20);

    await expect(replay(thread, { signal: stop.signal })).rejects.toThrow("enough");
    const left = readdirSync(join(bench.root, "workspaces")).filter((name) => /^[0-9A-Z]{26}$/.test(name));
    expect(left).toEqual([]);
  });
});
