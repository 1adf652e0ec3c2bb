import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandBench, commandBench } from "../../fixtures/command-bench.ts";
import { isRunning } from "../../fixtures/is-running.ts";

let bench: CommandBench;
beforeAll(async () => {
  bench = await commandBench({ variables: { A_KEY: "sk-very-secret-value" } });
});
afterAll(() => bench.dispose());

const STEP_PROGRAM = join(import.meta.dirname, "../../fixtures/step-program-worker.ts");

/** Each fails its step, with this for people, and nothing else. */
describe("a program that answers its output", () => {
  it.each<[what: string, script: string, reason: RegExp]>([
    ["fails", "echo one >&2; echo two >&2; exit 3", /failed with exit code 3\. It said last: one \/ two/],
    ["is killed", "kill -9 $$", /was ended by SIGKILL/],
    ["says nothing", "exit 0", /ended well without an answer on its standard output/],
    ["says white space", "echo; echo '  '", /ended well without an answer/],
    ["says something else than JSON", "echo 'All done!'", /must be JSON and nothing else, not "All done!"/],
    ["says something beside JSON", `echo 'Here: {"status":"done"}'`, /must be JSON and nothing else/],
    ["lacks a field", `echo '{"count": 3}'`, /status: missing, must be a string/],
    ["has a field too many", `echo '{"status": "done", "more": 1}'`, /more: unknown field|more/],
    ["suspends without a reason", `echo '{"$status": "$SUSPEND"}'`, /reason/],
    ["writes bytes that are no UTF-8", `printf '{"status":"\\377\\376"}'`, /bytes that are no UTF-8/],
    [
      "writes without end",
      "yes 0123456789012345678901234567890123456789",
      /wrote more than 1 MiB to its standard output and was ended/,
    ],
    ["has no end", "sleep 60", /took longer than its 1\.5 seconds and was ended/],
  ])("fails its step where it %s", async (_, script, reason) => {
    const command = await bench.program(`p${Math.random()}`, `#!/bin/sh\n${script}\n`);
    const began = Date.now();

    const thread = await bench.run(await bench.startWith({ command, timeoutSeconds: 1.5 }));

    expect(thread.reason).toMatch(reason);
    expect(thread.status).toBe("failed");
    expect(thread.reason).toMatch(/^worker: The (program|agent) mine /);
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  it("fails its step where the program is not there", async () => {
    const thread = await bench.run(await bench.startWith({ command: "uwf-no-such-program" }));

    expect(thread).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/The program mine \(uwf-no-such-program\) was not found\. Install it/),
    });
  });

  it("fails its step where the interpreter of its script is not there", async () => {
    const command = await bench.program("odd", "#!/no/such/interpreter\n");

    const thread = await bench.run(await bench.startWith({ command }));

    expect(thread).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/was not found\. .*the program that its first line names/),
    });
  });

  it("fails its step where the program may not be run", async () => {
    const command = await bench.program("unable", "#!/bin/sh\necho '{}'\n");
    await chmod(command, 0o644);

    const thread = await bench.run(await bench.startWith({ command }));

    expect(thread).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/it is no program, or may not be run\. Make the file executable/),
    });
  });

  it("shows no secret in what it says of a failure", async () => {
    const command = await bench.program("leaky", '#!/bin/sh\necho "key $A_KEY is bad" >&2\nexit 1\n');

    const thread = await bench.run(await bench.startWith({ command, env: ["A_KEY"] }));

    expect(thread.reason).toContain("key [redacted] is bad");
    expect(JSON.stringify(bench.events)).not.toContain("sk-very-secret-value");
  });
});

describe("a program that leaves others behind", () => {
  /** Notes whom it has left in a file of its own name. */
  const leaving = (name: string, then: string) => `#!/bin/sh
setsid sh -c 'echo $$ >"${bench.root}/left-${name}"; exec sleep 300' >/dev/null 2>&1 </dev/null &
while [ ! -s "${bench.root}/left-${name}" ]; do sleep 0.02; done
${then}
`;
  const leftBy = async (name: string): Promise<number> =>
    Number(await readFile(join(bench.root, `left-${name}`), "utf8"));

  it.each([
    ["answers", "meta", `echo '{"status":"done"}'`, "completed"],
    ["fails", "meta", "exit 1", "failed"],
    ["takes too long", "meta", "sleep 60", "failed"],
    ["has stored its step", "step", `"${process.execPath}" "${STEP_PROGRAM}" right "$@"`, "completed"],
    ["fails instead of storing its step", "step", "exit 1", "failed"],
    ["answers text", "text", "cat >/dev/null; printf -- '---\\nstatus: done\\n---\\n'", "completed"],
    ["fails instead of answering text", "text", "exit 1", "failed"],
  ] as const)("has them ended when it %s", async (_, protocol, then, status) => {
    const name = `${protocol}-${then.length}`;
    const command = await bench.program(name, leaving(name, then));

    const thread = await bench.run(await bench.startWith({ command, protocol, timeoutSeconds: 4 }));

    expect(thread.status).toBe(status);
    expect(await isRunning(await leftBy(name))).toBe(false);
  });

  it("has them ended when the thread is cancelled", async () => {
    const command = await bench.program("long", leaving("long", "sleep 60"));
    const record = await bench.startWith({ command });
    const controller = new AbortController();
    const run = bench.run(record, controller.signal);
    await expect.poll(() => leftBy("long").catch(() => 0), { timeout: 5_000 }).toBeGreaterThan(0);

    controller.abort();
    await run;

    expect(await isRunning(await leftBy("long"))).toBe(false);
  });
});

describe("a program that stores its step", () => {
  it.each<[how: string, reason: RegExp]>([
    ["no-hash", /the last line of its answer is no hash of a node: "done, all is well"/],
    ["unknown-hash", /there is no node [0-9A-Z]{13} in the store/],
    ["text-node", /is a text node and no step/],
    ["other-thread", /belongs to another thread/],
    ["other-role", /is of the role "somebody", not "worker"/],
    ["wrong-prev", /follows [0-9A-Z]{13}, not the thread's start/],
    ["bad-output", /status: missing, must be a string/],
    ["bad-turns", /its turns cannot be read/],
    ["published", /says that it was published/],
    ["other-agent", /names another agent/],
    ["files", /names files, which the engine alone captures/],
    ["child", /names a thread that played its role/],
    ["says-more", /the last line of its answer is no hash of a node: "That was it\."/],
    ["silent", /ended well without an answer/],
    ["fails", /failed with exit code 3/],
    ["endless", /wrote more than 1 MiB to its standard output/],
  ])("fails where it is wrong: %s", async (how, reason) => {
    const agent = { command: process.execPath, args: [STEP_PROGRAM, how], protocol: "step" as const };

    const thread = await bench.run(await bench.startWith(agent));

    expect(thread.reason).toMatch(reason);
    expect(thread.status).toBe("failed");
    expect((await bench.store.history(thread.head)).steps).toEqual([]);
  });

  it("has the thread's head moved to it where it is right", async () => {
    const agent = { command: process.execPath, args: [STEP_PROGRAM, "right"], protocol: "step" as const };

    const thread = await bench.run(await bench.startWith(agent));

    expect(thread).toMatchObject({ status: "completed" });
    const [step] = (await bench.store.history(thread.head)).steps;
    expect(step).toMatchObject({
      output: { status: "done", count: 3 },
      step: { role: "worker", task: "Do it.", usage: { costUsd: 0.25 }, startedAt: 1_000 },
    });
    expect(await bench.store.turns(step?.step.turns ?? thread.head)).toMatchObject([
      { text: "What I was told." },
    ]);
  });
});

describe("a program that answers text", () => {
  const answers = (frontmatter: string): string =>
    `cat >/dev/null; printf -- '---\\n${frontmatter}\\n---\\n'`;

  it.each<[what: string, script: string, reason: RegExp]>([
    ["fails", "echo one >&2; exit 3", /failed with exit code 3\. It said last: one/],
    ["is killed", "kill -9 $$", /was ended by SIGKILL/],
    ["says nothing", "cat >/dev/null", /ended well without an answer on its standard output/],
    ["has no end", "sleep 60", /took longer than its 2\.5 seconds and was ended/],
    ["writes bytes that are no UTF-8", "printf '\\377\\376'", /bytes that are no UTF-8/],
    ["writes without end", "yes 0123456789012345678901234567890123456789", /wrote more than 64 MiB/],
    ["has no frontmatter", "cat >/dev/null; echo 'All done!'", /no YAML frontmatter/],
    ["has an output that does not fit", answers("state: done"), /status: missing, must be a string/],
    ["suspends without a reason", answers("$status: $SUSPEND"), /reason/],
  ])("fails its step where it %s", async (_, script, reason) => {
    const command = await bench.program(`p${Math.random()}`, `#!/bin/sh\n${script}\n`);

    const thread = await bench.run(await bench.startWith({ command, protocol: "text", timeoutSeconds: 2.5 }));

    expect(thread.reason).toMatch(reason);
    expect(thread.status).toBe("failed");
    expect((await bench.store.history(thread.head)).steps).toEqual([]);
  });
});
