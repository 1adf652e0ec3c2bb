import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { silentLog } from "../../../src/base/log.ts";
import { calls, resolves, type ScriptedStep, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { openTelemetry, type Telemetry } from "../../../src/telemetry/telemetry.ts";
import type { Engine } from "../../../src/thread/engine.ts";
import { runThread } from "../../../src/thread/run.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from "../../rigs/otlp-receiver.ts";

const workflow = `
version: 1
name: two
description: Two roles in a row.
roles:
  first:
    description: Begins.
    systemPrompt: You begin with WORDS-OF-THE-PROMPT.
    schema: { type: object, required: [found], properties: { found: { type: string } } }
  second:
    description: Ends.
    systemPrompt: You end.
    schema: { type: object, required: [status], properties: { status: { const: done } } }
moderator:
  - { from: $START, to: first }
  - { from: first, to: second, prompt: "Use {{ found }}." }
  - { from: second, to: $END }
`;

const never = () => new AbortController().signal;

describe("traces", () => {
  let receiver: OtlpReceiver;
  let bench: ThreadBench;
  let open: Telemetry[];
  beforeEach(async () => {
    receiver = await otlpReceiver();
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map((telemetry) => telemetry.close()));
    await bench.dispose();
    await receiver.close();
  });

  const telemetryWith = async (env: Record<string, string> = {}, log = silentLog): Promise<Telemetry> => {
    const telemetry = await openTelemetry({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: "20", ...env },
      log,
      store: bench.store,
    });
    open.push(telemetry);
    return telemetry;
  };
  const traced = (engine: Engine, { see }: Telemetry): Engine => ({ ...engine, emit: see });
  const benchWith = async (script: readonly ScriptedStep[]) => {
    bench = await threadBench(scriptedModel(script, { alias: "fast", name: "small-1" }));
    return bench;
  };
  const named = (name: string): ReceivedSpan => {
    const [span, ...others] = receiver.spans.filter((one) => one.name === name);
    expect(others).toEqual([]);
    if (span === undefined) throw new Error(`no span ${name}: ${receiver.spans.map((one) => one.name)}`);
    return span;
  };

  it("show a thread, its steps, and their model and tool calls", async () => {
    await benchWith([
      calls("write_file", { path: "a.txt", content: "CONTENT-OF-A-FILE" }, calls("no_such_tool", {})),
      resolves({ found: "OUTPUT-OF-A-STEP" }),
      resolves({ status: "done" }),
    ]);
    const telemetry = await telemetryWith({
      OTEL_SERVICE_NAME: "bot-of-the-test",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=here%20and%20now,service.name=overruled",
      OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=k%3D1",
    });
    const { id } = await bench.start(workflow, { input: "TASK-OF-A-PERSON" });

    await runThread(traced(bench.engine, telemetry), id, { signal: never() });
    await telemetry.close();

    const thread = named("thread");
    const first = named("invoke_agent first");
    const second = named("invoke_agent second");
    const chats = receiver.spans.filter(({ name }) => name === "chat small-1");
    expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([thread.traceId]));
    expect([thread.parentId, first.parentId, second.parentId]).toEqual(["", thread.spanId, thread.spanId]);
    expect(chats.map(({ parentId }) => parentId)).toEqual([first.spanId, first.spanId, second.spanId]);
    expect(thread).toMatchObject({
      status: 0,
      attributes: { "uwf.thread.id": id, "uwf.thread.status": "completed" },
    });
    expect(first.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "first",
      "gen_ai.conversation.id": id,
      "gen_ai.provider.name": "scripted",
      "gen_ai.usage.input_tokens": 200,
      "uwf.step.index": 1,
    });
    expect(chats[0]).toMatchObject({
      kind: 3,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "scripted",
        "gen_ai.request.model": "small-1",
        "gen_ai.response.model": "small-1",
        "gen_ai.response.finish_reasons": ["tool_calls"],
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 10,
        "uwf.cost_usd": 0.001,
        "uwf.model.alias": "fast",
      },
    });
    expect(named("execute_tool write_file")).toMatchObject({
      parentId: first.spanId,
      status: 0,
      attributes: { "gen_ai.tool.name": "write_file", "gen_ai.tool.call.id": "call_1_1" },
    });
    expect(named("execute_tool other")).toMatchObject({
      status: 2,
      attributes: { "error.type": "tool-failed" },
    });
    for (const span of receiver.spans) expect(span.startMs).toBeLessThanOrEqual(span.endMs);
    expect(thread.resource).toMatchObject({
      "service.name": "bot-of-the-test",
      "deployment.environment.name": "here and now",
      "telemetry.sdk.language": "nodejs",
    });
    expect(receiver.requests[0]).toMatchObject({ path: "/v1/traces", headers: { "x-api-key": "k=1" } });
    expect(JSON.stringify(receiver.spans)).not.toMatch(/WORDS-OF|CONTENT-OF|OUTPUT-OF|TASK-OF|no_such_tool/);
  });

  it("join what two workers did of one step", async () => {
    const drain = new AbortController();
    await benchWith([
      () => {
        drain.abort();
        return calls("list_files", {});
      },
      resolves({ found: "x" }),
      resolves({ status: "done" }),
    ]);
    const [one, other] = [await telemetryWith(), await telemetryWith()];
    const { id } = await bench.start(workflow);

    const left = await runThread(traced(bench.engine, one), id, { signal: never(), drain: drain.signal });
    const done = await runThread(traced(bench.engine, other), id, { signal: never() });
    await Promise.all([one.close(), other.close()]);

    expect([left.status, done.status]).toEqual(["queued", "completed"]);
    const first = named("invoke_agent first");
    expect(first.parentId).toBe(named("thread").spanId);
    const children = receiver.spans.filter(({ parentId }) => parentId === first.spanId);
    expect(children.map(({ name }) => name).sort()).toEqual([
      "chat small-1",
      "chat small-1",
      "execute_tool list_files",
    ]);
    for (const { startMs } of children) expect(first.startMs).toBeLessThanOrEqual(startMs);
  });

  it("say what failed: the model call, the step and the thread", async () => {
    await benchWith([new AppError("no credit for KEY", { code: "model-refused", remedy: "fix-config" })]);
    const telemetry = await telemetryWith();
    const { id } = await bench.start(workflow);

    await runThread(traced(bench.engine, telemetry), id, { signal: never() });
    await telemetry.close();

    const errors = Object.fromEntries(
      receiver.spans.map(({ name, status, attributes }) => [name, [status, attributes["error.type"]]]),
    );
    expect(errors).toEqual({
      "chat small-1": [2, "model-refused"],
      "invoke_agent first": [2, "failed"],
      thread: [2, "failed"],
    });
    expect(JSON.stringify(receiver.spans)).not.toContain("no credit");
  });

  it("say in the log when nobody takes them, once, and when somebody does again", async () => {
    const said: string[] = [];
    const log = {
      ...silentLog,
      warn: (_: object, text: string) => said.push(text),
      info: (_: object, text: string) => said.push(text),
    };
    await benchWith([resolves({ found: "x" }), resolves({ status: "done" })]);
    const telemetry = await telemetryWith({ OTEL_EXPORTER_OTLP_TIMEOUT: "2000" }, log);
    receiver.answerWith(400);
    const { id } = await bench.start(workflow);
    await runThread(traced(bench.engine, telemetry), id, { signal: never() });
    await expect.poll(() => said, { timeout: 20_000 }).toContain("traces are not taken");

    receiver.answerWith(200);
    telemetry.see({ thread: id, at: Date.now(), kind: "status", status: "completed", reason: null });
    await expect.poll(() => said, { timeout: 20_000 }).toContain("traces are taken again");

    expect(said.filter((text) => text === "traces are not taken")).toHaveLength(1);
  });

  it.each([
    ["nobody asks for them", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }],
    ["they are switched off", { OTEL_SDK_DISABLED: "true" }],
    ["no trace is sampled", { OTEL_TRACES_SAMPLER: "parentbased_always_off" }],
    ["a share of nothing is sampled", { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" }],
  ])("are not sent when %s", async (_, env) => {
    await benchWith([resolves({ found: "x" }), resolves({ status: "done" })]);
    const telemetry = await telemetryWith(env);
    const { id } = await bench.start(workflow);

    const { status } = await runThread(traced(bench.engine, telemetry), id, { signal: never() });
    await telemetry.close();

    expect([status, receiver.requests]).toEqual(["completed", []]);
  });
});
