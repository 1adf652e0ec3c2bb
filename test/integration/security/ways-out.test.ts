import pino from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { errorStream } from "../../../src/agents/command/error-stream.ts";
import { AppError } from "../../../src/base/errors.ts";
import { newThreadId } from "../../../src/base/ids.ts";
import { secretKeeper } from "../../../src/base/redact.ts";
import { serverLog } from "../../../src/cli/server-log.ts";
import { redactedForges } from "../../../src/forge/redacted-forges.ts";
import { redactedModel } from "../../../src/llm/redacted-model.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import { createServer } from "../../../src/server/server.ts";
import { redactedStore } from "../../../src/store/redacted-store.ts";
import type { ThreadEvent } from "../../../src/thread/events.ts";
import { redactedEvents } from "../../../src/thread/redacted-events.ts";
import { toolbox } from "../../../src/tools/toolbox.ts";
import { redactedWorkspaces } from "../../../src/workspace/redacted-workspaces.ts";
import { fakeForge } from "../../fixtures/fake-forge.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { temporaryStore } from "../../fixtures/temporary-store.ts";
import { commitRequest, unexamined, workspaceRig } from "../../fixtures/workspace-rig.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

const SECRET = "ghs_TheSecretThatNobodyMaySee0123";
const secrets = secretKeeper([SECRET]);
const { redact } = secrets;
const text = `told ${SECRET}, or ${btoa(`user:${SECRET}`)}`;
const signal = new AbortController().signal;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const model = (steps: Parameters<typeof scriptedModel>[0]) => {
  const scripted = scriptedModel(steps);
  return { scripted, model: redactedModel(scripted, secrets) };
};
const question = { messages: [], tools: [], toolChoice: "auto" } as const;

const onForge = async (
  act: (forge: Awaited<ReturnType<ReturnType<typeof redactedForges>["open"]>>) => unknown,
) => {
  const fake = fakeForge();
  const forge = await redactedForges({ open: async () => fake }, redact).open({
    ...{ forge: "github", repository: "acme/parser", installationId: 1 },
  });
  await act(forge);
  return { ...fake, comments: [...fake.comments], details: [...fake.details], checksOf: [] };
};

const inStore = async (act: (store: ReturnType<typeof redactedStore>) => Promise<unknown>) => {
  const { store, dispose } = temporaryStore();
  closing.push(dispose);
  return act(redactedStore(store, redact));
};

const emitted = (...events: readonly object[]): ThreadEvent[] => {
  const seen: ThreadEvent[] = [];
  const emit = redactedEvents((event) => void seen.push(event), secrets);
  const about = { thread: "01", at: 0, role: "developer", callId: "c1" };
  for (const event of events) emit({ ...about, ...event } as ThreadEvent);
  return seen;
};

const answered = async (path: string): Promise<unknown> => {
  const metrics = { webhook: () => undefined, exposition: async () => ({ contentType: "text/plain", text }) };
  const server = await createServer({ log: pino({ level: "silent" }), redact, metrics });
  closing.push(() => server.close());
  return (await server.inject({ url: path, remoteAddress: "127.0.0.1" })).body;
};

/** Every way on which a text leaves the process, and what comes out there. */
const ways: Readonly<Record<string, () => unknown>> = {
  "a question to a model": async () => {
    const { scripted, model: asked } = model([{ content: "yes" }, { content: "yes" }]);
    const toolCalls = [{ id: "1", name: "shell_exec", arguments: JSON.stringify({ command: text }) }];
    const messages = [
      { role: "system", content: text },
      { role: "user", content: text },
      { role: "assistant", content: text, toolCalls, reasoning: null },
      { role: "tool", callId: "1", content: text },
    ] as const;
    await asked.ask({ ...question, messages }, { signal });
    await asked.ask({ ...question, messages }, { signal });
    expect(scripted.requests[1]).toEqual(scripted.requests[0]);
    return scripted.requests;
  },
  "a model's reply": () =>
    model([
      { content: text, toolCalls: [{ name: "write_file", arguments: JSON.stringify({ content: text }) }] },
    ]).model.ask(question, { signal }),
  "pieces of a model's reply": async () => {
    const shown: string[] = [];
    const { model: asked } = model([
      async (_, { onText }) => {
        for (const piece of text.match(/.{1,7}/g) ?? []) onText?.(piece);
        return { content: "" };
      },
    ]);
    await asked.ask(question, { signal, onText: (piece) => void shown.push(piece) });
    return shown.join("");
  },
  "a comment": () => onForge((forge) => forge.createComment(1, text)),
  "an edit of a comment": () =>
    onForge(async (forge) => forge.updateComment((await forge.createComment(1, "[redacted]")).id, text)),
  "a new pull request": () =>
    onForge((forge) =>
      forge.createPullRequest({
        ...{ branch: "uwf/a", base: "main", title: text, body: text, draft: false, reviewers: [] },
      }),
    ),
  "a review": () =>
    onForge((forge) =>
      forge.createReview(1, { commit: "c", body: text, comments: [{ path: "a", line: 1, body: text }] }),
    ),
  "a reply to a review": () => onForge((forge) => forge.replyToReview(1, "t", text)),
  "a check": () =>
    onForge((forge) =>
      forge.setCheck({ commit: "c", thread: "01", status: "failure", summary: text, url: null }),
    ),
  "a thread's title, reason and note": () =>
    inStore(async (store) => {
      const fixture = threadFixture();
      const record = threadRecord(fixture, { title: text, reason: text, note: text });
      await store.createThread(record, fixture.nodes);
      const made = await store.thread(record.id);
      await store.advance(record.id, {}, { reason: text, note: text });
      return [made, await store.thread(record.id)];
    }),
  "a delivery": () =>
    inStore(async (store) => {
      const delivery = { id: "1", forge: "github", event: "issues", receivedAt: 0 };
      await store.addDeliveries([{ ...delivery, body: JSON.stringify({ text }) }]);
      const kept = await store.delivery("1");
      expect(JSON.parse(kept?.body ?? "")).toEqual({ text: expect.stringContaining("[redacted]") });
      return kept;
    }),
  "a command's output, in pieces": () =>
    emitted(...(text.match(/.{1,5}/g) ?? []).map((piece) => ({ kind: "tool-output", piece })), {
      kind: "tool-finished",
      name: "shell_exec",
      ok: true,
      text: "",
      ms: 1,
    })
      .map((event) => (event.kind === "tool-output" ? event.piece : ""))
      .join(""),
  "what happens in a thread": () =>
    emitted(
      { kind: "status", status: "failed", reason: text },
      { kind: "tool-started", name: "shell_exec", arguments: text },
      { kind: "tool-finished", name: "shell_exec", ok: true, text, ms: 1 },
      { kind: "step-finished", index: 0, hash: "H", output: { a: [{ b: text }] }, usage: {}, ms: 1 },
      {
        kind: "model-replied",
        content: text,
        calls: [{ id: "1", name: "a", arguments: text }],
        usage: {},
        ms: 1,
      },
    ),
  "what a tool answers": async () => {
    const tool = { name: "t", description: "", effect: "read", parameters: {} } as const;
    const rig = workspaceRig({ "a.txt": "a\n" });
    closing.push(rig.dispose);
    const { workspace } = await rig.begin();
    const context = { workspace, signal, seen: new Map(), redact };
    const box = toolbox([{ ...tool, run: async () => ({ ok: true, text }) }], context);
    return box.run("t", {});
  },
  "a line of the log": () => {
    const lines: string[] = [];
    const log = serverLog({ level: "trace", secrets, write: (line) => void lines.push(line) });
    log
      .child({ a: text })
      .trace({ err: new AppError(text, { code: "a", remedy: "bug" }), b: { c: [text] } }, text);
    return lines;
  },
  "the standard error of a program": () => {
    const lines: string[] = [];
    const stream = errorStream({ redact, onLine: (line) => void lines.push(line) });
    stream.push(text.slice(0, 20));
    stream.push(text.slice(20));
    return [stream.end(), ...lines];
  },
  "a page that is not there": () => answered(`/${encodeURIComponent(SECRET)}`),
  metrics: () => answered("/metrics"),
  "a commit's message": async () => {
    const rig = workspaceRig({ "a.txt": "a\n" });
    closing.push(rig.dispose);
    const { thread, workspace } = await rig.begin();
    await workspace.files.write("a.txt", Buffer.from("b\n"));
    const captured = await rig.capture(thread);
    const remote = { url: rig.source.repository, token: null };
    const commit = { ...commitRequest, message: text };
    const pushed = await redactedWorkspaces(rig.workspaces, redact).push(
      thread,
      captured,
      commit,
      remote,
      unexamined,
    );
    return rig.source.git("log", "-1", "--format=%B", pushed.commit);
  },
};

describe("no secret gets out by", () => {
  it.for(Object.entries(ways))("%s", async ([, way], context) => {
    const out = JSON.stringify(await way());

    expect(out).toContain("[redacted]");
    expect(out).not.toMatch(/TheSecret|U2VjcmV0/);
    countAttempts(context, "ways out for a secret");
  });
});

describe("a file with a secret of the process", () => {
  const pushed = async (files: Readonly<Record<string, string | Buffer>>) => {
    const rig = workspaceRig({ "a.txt": "a\n", "old.txt": `${SECRET}\n` });
    closing.push(rig.dispose);
    const { thread, workspace } = await rig.begin();
    for (const [path, bytes] of Object.entries(files)) await workspace.files.write(path, Buffer.from(bytes));
    const captured = await rig.capture(thread);
    const remote = { url: rig.source.repository, token: null };
    await redactedWorkspaces(rig.workspaces, redact).push(
      thread,
      captured,
      commitRequest,
      remote,
      unexamined,
    );
  };

  it.for<[string, Readonly<Record<string, string | Buffer>>]>([
    ["as it is", { "new.txt": `x ${SECRET}` }],
    ["in base64", { "a.txt": Buffer.from(`x${SECRET}`).toString("base64") }],
    ["among bytes", { "a.bin": Buffer.concat([Buffer.alloc(9, 0xff), Buffer.from(SECRET)]) }],
    ["far down", { "long.txt": `${"line of text\n".repeat(80_000)}${SECRET}` }],
    ["across where it is cut to be looked at", { "cut.txt": `${"x".repeat(512 * 1024 - 9)}-${SECRET}` }],
    ["in its name", { [`${SECRET}.txt`]: "x" }],
  ])("is not pushed: %s", async ([, files], context) => {
    await expect(pushed(files)).rejects.toMatchObject({
      code: "secret-in-files",
      remedy: "fix-input",
      message: expect.not.stringContaining(SECRET),
    });
    countAttempts(context, "files with a secret");
  });

  it("stops nothing while it stays as it was", async () => {
    await expect(pushed({ "a.txt": "b\n" })).resolves.toBeUndefined();
  });
});

describe("events", () => {
  it("are as they were where they hold no secret", () => {
    const event = { kind: "status", status: "queued", reason: null, thread: newThreadId(), at: 1 } as const;
    const seen: ThreadEvent[] = [];

    redactedEvents((each) => void seen.push(each), secrets)(event);

    expect(seen).toEqual([event]);
  });
});
