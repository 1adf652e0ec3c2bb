import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crockford } from "../../../src/base/ids.ts";
import { sqliteStore } from "../../../src/store/sqlite-store.ts";
import { type SeededThreads, seedThreads } from "../../fixtures/seeded-threads.ts";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";

let home: UwfHome;
let seeded: SeededThreads;

beforeAll(async () => {
  home = uwfHome();
  mkdirSync(home.root, { mode: 0o700 });
  const store = sqliteStore({ path: join(home.root, "uwf.db") });
  seeded = await seedThreads(store);
  await store.close();
});
afterAll(() => home.dispose());

const json = async (...args: string[]) => {
  const { stdout, stderr, exitCode } = await home.uwf([...args, "--json"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout);
};
const text = async (...args: string[]) => {
  const { stdout, stderr, exitCode } = await home.uwf(args);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout;
};

describe("uwf thread", () => {
  it("lists the newest first", async () => {
    const threads = await json("thread", "list");

    expect(threads.map(({ id }: { id: string }) => id)).toEqual([
      seeded.running,
      seeded.suspended,
      seeded.completed,
    ]);
    expect(Object.keys(threads[0])).toEqual([
      "id",
      "workflow",
      "title",
      "status",
      "reason",
      "head",
      "createdAt",
      "updatedAt",
      "steps",
    ]);
    expect(await text("thread", "list")).toMatch(/^THREAD +STATE +WORKFLOW +TITLE +STEPS +AGE\n/);
  });

  it("lists those in a state, and only so many", async () => {
    expect(await json("thread", "list", "--status", "suspended,completed", "--limit", "1")).toMatchObject([
      { id: seeded.suspended, title: "支持 GBK 编码的文件", steps: 1 },
    ]);
  });

  it("shows a result and how to look at it", async () => {
    const shown = await text("thread", "show", seeded.completed.slice(0, 12).toLowerCase());

    expect(shown).toContain("state       completed");
    expect(shown).toContain("│ Keep the last line when it has no newline");
    expect(shown).toContain("git -C /srv/repositories/parser diff main...uwf/the-parser-drops-the-last-line");
  });

  it("asks a person's question without letting it act on the terminal", async () => {
    const shown = await text("thread", "show", seeded.suspended);

    expect(shown).toContain("suspended: Which encoding<U+202E> do the files have?");
    expect(shown).toContain("uwf thread resume");
    expect(await json("thread", "show", seeded.suspended)).toMatchObject({
      status: "suspended",
      reason: "Which \u001b[31mencoding\u202e do the files have?",
      roles: [{ role: "developer", steps: 1 }],
      usage: { inputTokens: 4000, outputTokens: 321 },
    });
  });

  it("says how far an open step is", async () => {
    expect(await text("thread", "show", seeded.running)).toContain(
      "step 1 under way, 2 turns, by process 1 on elsewhere",
    );
    expect(await text("thread", "steps", seeded.running)).toContain("Step 1 is under way: 2 turns");
  });

  it("shows every turn of a step", async () => {
    const details = await text("thread", "step-details", seeded.completed, "1");

    expect(details).toContain("● told\n  Make the test pass.");
    expect(details).toContain("  → shell_exec npm test");
    expect(details).toContain("✗ shell_exec 4.1s\n  not ok 1 - keeps the last line\n  exit code 1, 4.1 s");
    expect(details).toContain("■ output\n  summary: The loop ended");
    const step = await json("thread", "step-details", seeded.completed, seeded.step.hash.slice(0, 8));
    expect(step).toMatchObject({
      index: 1,
      role: "developer",
      finished: true,
      turns: [{ kind: "message" }, {}, {}],
    });
    expect(await json("thread", "step-details", seeded.running, "1")).toMatchObject({
      finished: false,
      turns: [{}, {}],
    });
  });

  it("lists steps with their outputs", async () => {
    expect(await json("thread", "steps", seeded.completed)).toMatchObject([
      {
        index: 1,
        hash: seeded.step.hash,
        output: { status: "done" },
        published: { branch: "uwf/the-parser-drops-the-last-line" },
      },
    ]);
  });
});

describe("uwf cas", () => {
  it("puts a node once, gets it by the beginning of its hash, in canonical JSON", async () => {
    const payload = '{ "text": "hé\\n", "encoding": "utf8" }';

    const put = await home.uwf(["cas", "put", "text", "-"], { stdin: payload });
    const again = await home.uwf(["cas", "put", "text", "-", "--json"], { stdin: payload });

    const hash = put.stdout.trim();
    const canonical = '["text",{"encoding":"utf8","text":"hé\\n"}]';
    expect(hash).toBe(crockford(createHash("sha256").update(canonical).digest()));
    expect(JSON.parse(again.stdout)).toEqual({ hash, type: "text", refs: [] });
    expect((await home.uwf(["cas", "get", hash.slice(0, 8), "--json"])).stdout).toBe(
      `{"hash":"${hash}","payload":{"encoding":"utf8","text":"hé\\n"},"refs":[],"type":"text"}\n`,
    );
    expect(await text("cas", "get", hash)).toBe(`text ${hash}\nhé\n`);
  });

  it("refuses a node that refers to nothing", async () => {
    const stdin = JSON.stringify({ name: "w", description: "", moderator: [], roles: { a: "0".repeat(52) } });

    const { exitCode, stderr } = await home.uwf(["cas", "put", "workflow", "-"], { stdin });

    expect(exitCode).toBe(2);
    expect(stderr).toContain("no node 0000000000000 in the store");
  });

  it("lists refs, and walks to everything below", async () => {
    const refs = await json("cas", "refs", seeded.step.hash);
    const walked = await json("cas", "walk", seeded.step.hash);

    expect(refs.map(({ type }: { type: string }) => type)).toEqual([
      "thread-start",
      "agent",
      "output",
      "turn",
    ]);
    expect(walked[0]).toEqual({ hash: seeded.step.hash, type: "step", refs: seeded.step.refs });
    expect(walked).toHaveLength(10);
    expect(await text("cas", "walk", seeded.step.hash)).toMatch(
      /^\w{13} step developer\n├─ \w{13} thread-start/,
    );
  });
});

describe("uwf workflow", () => {
  const file = `version: 1
name: greet
description: Says hello.
roles:
  greeter:
    description: Greets.
    systemPrompt: Say hello.
    schema: { type: object, properties: { text: { type: string } }, required: [text] }
moderator:
  - { from: $START, to: greeter }
  - { from: greeter, to: $END }
`;

  it("puts, lists, shows and draws a workflow", async () => {
    writeFileSync(join(home.cwd, "greet.yaml"), file);

    const put = await json("workflow", "put", "greet.yaml");
    const again = await json("workflow", "put", "greet.yaml");

    expect([put.change, again.change]).toEqual(["new", "unchanged"]);
    const listed: { name: string; origin: string; hash: string }[] = await json("workflow", "list");
    expect(listed[0]).toMatchObject({ name: "greet", origin: "registry", hash: put.hash });
    expect(listed.find(({ name }) => name === "solve-issue")).toMatchObject({ origin: "bundled" });
    for (const name of ["greet", "./greet.yaml", put.hash.slice(0, 10)])
      expect(await json("workflow", "show", name)).toMatchObject({ hash: put.hash, name: "greet" });
    expect(await text("workflow", "show", "greet")).toContain("greeter");
    expect(await text("workflow", "graph", "greet")).toMatch(/^flowchart TD\n/);
    expect(await text("workflow", "validate", "greet.yaml")).toContain("✓ greet.yaml");
  });

  it("marks the roles whose answers a person approves", async () => {
    writeFileSync(
      join(home.cwd, "approve.yaml"),
      file
        .replace("name: greet", "name: approve")
        .replace("systemPrompt:", "approval: required\n    systemPrompt:"),
    );

    expect(await text("workflow", "show", "./approve.yaml")).toMatch(/^greeter \(to approve\) +model /m);
    expect(await text("workflow", "graph", "./approve.yaml")).toContain("greeter<br/>approval required");
    expect((await json("workflow", "show", "./approve.yaml")).roles.greeter.approval).toBe("required");
    expect((await json("workflow", "show", "./greet.yaml")).roles.greeter).not.toHaveProperty("approval");
  });

  it("names every problem of every file", async () => {
    writeFileSync(join(home.cwd, "broken.yaml"), file.replace("to: $END", "to: nobody"));

    const { exitCode, stdout } = await home.uwf([
      "workflow",
      "validate",
      "greet.yaml",
      "broken.yaml",
      "missing.yaml",
    ]);

    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/✗ broken\.yaml:\d+:\d+: .*nobody/);
    expect(stdout).toContain("✗ cannot read the workflow file missing.yaml");
  });
});

describe("uwf cas verify", () => {
  it("finds damage, and exits 1", async () => {
    const damaged = uwfHome();
    mkdirSync(damaged.root);
    const path = join(damaged.root, "uwf.db");
    const store = sqliteStore({ path });
    await seedThreads(store);
    await store.close();
    const database = new DatabaseSync(path);
    database.exec(`UPDATE node SET body = replace(body, 'Writes', 'Breaks') WHERE type = 'role'`);
    database.close();

    const { exitCode, stdout } = await damaged.uwf(["cas", "verify"]);

    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/✗ \w{13} its content has the hash \w{52}\n1 problem in 1 damaged node\.\n/);
    expect(JSON.parse((await damaged.uwf(["cas", "verify", "--json"])).stdout)).toMatchObject({ damaged: 1 });
    damaged.dispose();
  });
});
