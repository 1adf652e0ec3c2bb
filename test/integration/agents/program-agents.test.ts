import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { type CommandBench, commandBench, ONE_ROLE } from "../../fixtures/command-bench.ts";

let bench: CommandBench;
beforeAll(async () => {
  process.env.UWF_TEST_OF_THE_ENGINE = "must stay here";
  bench = await commandBench({ variables: { A_KEY: "sk-very-secret-value", OTHER_KEY: "sk-other" } });
});
afterAll(async () => {
  delete process.env.UWF_TEST_OF_THE_ENGINE;
  await bench.dispose();
});

const left = (name: string): Promise<string> => readFile(join(bench.root, name), "utf8");

const runScript = async (
  script: string,
  options: Parameters<CommandBench["startWith"]>[0] = {},
  yaml = ONE_ROLE,
): Promise<ThreadRecord> => {
  const command = await bench.program(`p${Math.random()}`, `#!/bin/sh\n${script}\n`);
  return bench.run(await bench.startWith({ command, ...options }, { yaml }));
};

const outputOf = async ({ head }: ThreadRecord): Promise<unknown> =>
  (await bench.store.history(head)).steps.at(-1)?.output;

const keptTexts = async ({ head }: ThreadRecord): Promise<string[]> => {
  const step = (await bench.store.history(head)).steps.at(-1);
  const nodes = await Promise.all((step?.step.refs ?? []).map((hash) => bench.store.get(hash)));
  return nodes.flatMap((node) => (node?.type === "text" ? [node.payload.text] : []));
};

describe("a program that answers its output", () => {
  it.each([
    ["as JSON", `printf '\\n {"status": "done"}\\n\\n'`],
    ["in a fenced block", 'printf \'```json\\n{"status": "done"}\\n```\\n\''],
  ])("may answer %s", async (_, script) => {
    const thread = await runScript(script);

    expect(thread.status).toBe("completed");
    expect(await outputOf(thread)).toEqual({ status: "done" });
  });

  it("may wait for a person, and is told what the person says", async () => {
    const script = `case $(uwf thread context "$2" --role "$4") in
*"Use tabs."*) echo '{"status": "done"}' ;;
*) echo '{"$status": "$SUSPEND", "reason": "Tabs or spaces?"}' ;;
esac`;
    const waiting = await runScript(script);
    expect(waiting).toMatchObject({ status: "suspended", reason: "Tabs or spaces?" });
    const { resumeThread } = await import("../../../src/thread/commands.ts");
    await resumeThread(bench.engine, waiting.id, "Use tabs.");

    const thread = await bench.run(waiting);

    expect(thread.status).toBe("completed");
  });

  it("is called with thread and role after its own arguments, in the thread's directory", async () => {
    const thread = await runScript(
      `echo "$@" >"$UWF_STORAGE_ROOT/args"; pwd >"$UWF_STORAGE_ROOT/cwd"; echo '{"status":"done"}'`,
      { args: ["--fast", "two words"] },
    );

    expect(await left("args")).toBe(`--fast two words -t ${thread.id} -r worker\n`);
    expect((await left("cwd")).trim()).toBe(join(bench.root, "workspaces", thread.id, "workspace"));
  });

  it("has the usual variables and those it was given, and nothing else of this process", async () => {
    const thread = await runScript(`env >"$UWF_STORAGE_ROOT/env"; echo '{"status":"done"}'`, {
      env: ["A_KEY", "NOT_SET"],
    });

    const env = Object.fromEntries(
      (await left("env"))
        .trim()
        .split("\n")
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
    for (const name of Object.keys(env)) if (name.startsWith("GIT_CONFIG_")) delete env[name];
    const { PATH, PWD, OLDPWD, _, SHLVL, TMPDIR, UWF_COMMAND_ID, UWF_TRACE_FILE, ...others } = env;
    expect(PATH).toContain(process.env.PATH ?? "nowhere");
    expect(UWF_TRACE_FILE).toMatch(/trace\.jsonl$/);
    expect(others).toEqual({
      HOME: bench.root,
      TERM: "dumb",
      NO_COLOR: "1",
      A_KEY: "sk-very-secret-value",
      UWF_STORAGE_ROOT: bench.root,
      UWF_SANDBOX: "none",
      UWF_THREAD: thread.id,
      UWF_ROLE: "worker",
      UWF_WORKSPACE: join(bench.root, "workspaces", thread.id, "workspace"),
    });
  });

  it("runs no command that a role has left for git to run", async () => {
    const script = `git init -q . && git config core.fsmonitor 'touch planted; false' && git status >&2
[ -e planted ] && exit 1
echo '{"status":"done"}'`;

    expect(await runScript(script)).toMatchObject({ status: "completed" });
  });

  it("has what it says on its standard error shown as it comes, and kept without secrets", async () => {
    const thread = await runScript(`echo "key $A_KEY" >&2; printf 'last' >&2; echo '{"status":"done"}'`, {
      env: ["A_KEY"],
    });

    expect(await keptTexts(thread)).toEqual(["key [redacted]\nlast\n"]);
    const shown = bench.events.flatMap((event) =>
      event.thread === thread.id && event.kind === "tool-output" ? [event.piece] : [],
    );
    expect(shown).toEqual(["key [redacted]\n", "last\n"]);
  });

  it("has its trace kept, and what is no JSON in it left out and said", async () => {
    const thread = await runScript(
      `printf '{"at": 1}\\nnot json\\n{"at": 2}\\n' >"$UWF_TRACE_FILE"; echo '{"status":"done"}'`,
    );

    expect(await keptTexts(thread)).toEqual([
      "uwf: line 2 of the trace is no JSON: it was left out\n",
      '{"at": 1}\n{"at": 2}\n',
    ]);
  });

  it.each([
    ["a directory", 'mkdir "$UWF_TRACE_FILE"'],
    ["a link", 'ln -s /etc/passwd "$UWF_TRACE_FILE"'],
    ["a pipe", 'mkfifo "$UWF_TRACE_FILE"'],
  ])("has no trace read that is %s", async (_, script) => {
    const thread = await runScript(`${script}; echo '{"status":"done"}'`);

    expect(thread.status).toBe("completed");
    expect(await keptTexts(thread)).toEqual(["uwf: the trace is no plain file: it was not read\n"]);
  });

  it("leaves nothing of its run behind", async () => {
    await runScript(`dirname "$UWF_TRACE_FILE" >"$UWF_STORAGE_ROOT/dir"; echo '{"status":"done"}'`);

    expect(existsSync((await left("dir")).trim())).toBe(false);
  });

  it("is told all of its step by the uwf that runs it, while the thread is held", async () => {
    const yaml = ONE_ROLE.replace(
      "{ from: worker, to: $END }",
      "{ from: worker, to: worker, when: 'visits.worker < 2', prompt: 'Again, {{ status }}.' }\n  - { from: worker, to: $END }",
    );
    const thread = await runScript(
      `uwf thread context "$2" --role "$4" --json >"$UWF_STORAGE_ROOT/context.json" || exit 1
echo '{"status":"done"}'`,
      {},
      yaml,
    );

    expect(thread.status).toBe("completed");
    const { start, steps } = await bench.store.history(thread.head);
    expect(JSON.parse(await left("context.json"))).toMatchObject({
      thread: thread.id,
      role: "worker",
      workflow: { name: "one" },
      systemPrompt: "You work.",
      task: "Again, done.",
      notes: [],
      input: "Do it.",
      steps: [{ hash: steps[0]?.hash, role: "worker", task: "Do it.", output: { status: "done" } }],
      outputSchema: { type: "object", required: ["status"] },
      outputFormatInstruction: expect.stringContaining("YAML frontmatter"),
      start: thread.start,
      prev: steps[0]?.hash,
      agent: start.agents.worker,
      tools: [],
      model: null,
      limits: { thread: { pauseAfterRounds: 40 } },
      workspace: join(bench.root, "workspaces", thread.id, "workspace"),
    });
  });
});

describe("a program that was cut off", () => {
  it("is run again, and told so", async () => {
    const command = await bench.program(
      "slow",
      `#!/bin/sh
if [ -e "$UWF_STORAGE_ROOT/begun" ]; then
  uwf thread context "$2" --role "$4" --json >"$UWF_STORAGE_ROOT/again.json" || exit 1
  echo '{"status":"done"}'
else
  touch "$UWF_STORAGE_ROOT/begun"
  sleep 60
fi
`,
    );
    const record = await bench.startWith({ command });
    const controller = new AbortController();
    const first = bench.run(record, controller.signal);
    await expect.poll(() => existsSync(join(bench.root, "begun")), { timeout: 10_000 }).toBe(true);
    controller.abort();
    expect((await first).status).toBe("queued");

    const thread = await bench.run(record);

    expect(thread.status).toBe("completed");
    expect(JSON.parse(await left("again.json"))).toMatchObject({
      task: "Do it.",
      notes: [expect.stringContaining("was ended in the middle")],
    });
  });

  it("is not run again when its answer is stored", async () => {
    const command = await bench.program(
      "counting",
      `#!/bin/sh\necho x >>"$UWF_STORAGE_ROOT/runs"\necho '{"status":"done"}'\n`,
    );
    const record = await bench.startWith({ command });
    const { engine } = bench;
    let failing = true;
    const store: typeof engine.store = {
      ...engine.store,
      // The process dies before the step is appended.
      advance: async (id, expected, change, nodes) => {
        if (failing && change.head !== undefined) throw new Error("the machine is gone");
        return engine.store.advance(id, expected, change, nodes);
      },
    };
    const { runThread } = await import("../../../src/thread/run.ts");
    const signal = new AbortController().signal;
    await runThread({ ...engine, store }, record.id, { signal }).catch(() => undefined);
    failing = false;
    expect((await bench.store.thread(record.id))?.tip).not.toBeNull();

    const thread = await bench.run(record);

    expect(thread.status).toBe("completed");
    expect(await left("runs")).toBe("x\n");
  });
});
