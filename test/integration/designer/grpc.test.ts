import { randomUUID } from "node:crypto";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { type GrpcService, serveGrpc } from "../../../src/designer/grpc/serve-grpc.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import { type DesignerRig, designerRig } from "../../rigs/designer.ts";
import { type DesignerClient, designerClient, type WireResponse } from "../../rigs/designer-client.ts";
import { triageStory, triageWords } from "../../rigs/designer-story.ts";
import { freePort } from "../../rigs/free-port.ts";

let rig: DesignerRig;
let service: GrpcService;
let client: DesignerClient;
const ids = () => ({ session_id: randomUUID(), user_id: randomUUID() });

const serve = async (token: string | null = null, port = 0): Promise<GrpcService> => {
  const { process } = rig;
  return serveGrpc({ process, host: "127.0.0.1", port, token, log: silentLog });
};

beforeEach(async () => {
  rig = await designerRig(triageStory);
  service = await serve();
  client = designerClient(service.address);
});
afterEach(async () => {
  client.close();
  await service.close();
  await rig.dispose();
});

/** As a gateway does: it keeps the last state that it got. */
const converse = async (words: readonly string[], session = ids()) => {
  let current_state: WireResponse["updated_state"] = null;
  const heard: WireResponse[][] = [];
  for (const user_message of words) {
    const responses = await client.call({ ...session, user_message, current_state });
    current_state = responses.at(-1)?.updated_state ?? null;
    heard.push(responses);
  }
  return { heard, state: current_state };
};

const errorsOf = (responses: readonly WireResponse[]) => responses.flatMap(({ error }) => error ?? []);

describe("the gRPC service", () => {
  it("holds a whole conversation with a plain client, which keeps the state itself", async () => {
    const { heard, state } = await converse(triageWords);

    expect(heard.flat().flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(state).toMatchObject({ stage: "COMPLETED", debug_loop_count: 0 });
    expect(heard[0]?.at(-1)).toMatchObject({
      type: "MESSAGE",
      content: "message",
      is_final: true,
      message: {
        message_type: "question",
        questions: [
          { id: "kinds", is_required: true, options: ["bug", "question"] },
          { id: "start", is_required: false },
        ],
      },
    });
    const stages = heard.flat().flatMap(({ status }) => (status ? [status.new_stage] : []));
    expect(new Set(stages)).toEqual(
      new Set([
        ...["CLARIFICATION", "NEGOTIATION", "GAP_ANALYSIS", "ALTERNATIVE_GENERATION"],
        ...["WORKFLOW_GENERATION", "DEBUG", "COMPLETED"],
      ]),
    );
    for (const responses of heard)
      expect(responses.filter(({ is_final }) => is_final)).toEqual([responses.at(-1)]);
  });

  it("makes the same workflow node as the sessions that the store keeps", async () => {
    await converse(triageWords);
    const byGrpc = await rig.store.workflowHash("triage");
    const other = await designerRig(triageStory);
    const session = await other.open();
    for (const words of triageWords) await other.say(session, words);

    expect(byGrpc).toBeDefined();
    expect(await other.store.workflowHash("triage")).toBe(byGrpc);
    await other.dispose();
  });

  it("keeps conversations apart that are held at once", async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => converse(triageWords.slice(0, 3))));

    for (const { state } of all) expect(state).toMatchObject({ stage: "NEGOTIATION" });
    expect(new Set(all.map(({ state }) => state?.session_id)).size).toBe(6);
  });

  it("gives pieces of what is written when that is wanted, and the whole afterwards", async () => {
    const config = { enable_streaming: true };

    const responses = await client.call({ ...ids(), user_message: triageWords[0], config });

    const pieces = responses.filter(({ message }) => message?.metadata.delta === "true");
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map(({ message }) => message?.text).join("")).toBe("What should it tell apart, and when?");
    expect(pieces.every(({ updated_state }) => updated_state === null)).toBe(true);
    expect(responses.at(-1)?.message?.text).toBe("What should it tell apart, and when?");
  });

  it("goes on with the same client when the server was away", async () => {
    const port = await freePort();
    const first = await serve(null, port);
    const own = designerClient(first.address);
    const session = ids();
    const before = await own.call({ ...session, user_message: triageWords[0] });
    await first.close();
    await expect(own.call({ ...session, user_message: triageWords[1] })).rejects.toMatchObject({
      code: status.UNAVAILABLE,
    });
    const second = await serve(null, port);

    const deadline = Date.now() + 20_000;
    await new Promise<void>((resolve, reject) => {
      own.client.waitForReady(deadline, (error) => (error ? reject(error) : resolve()));
    });
    const current_state = before.at(-1)?.updated_state ?? null;
    const after = await own.call({ ...session, user_message: triageWords[1], current_state });

    expect(after.at(-1)).toMatchObject({ is_final: true, updated_state: { stage: "NEGOTIATION" } });
    own.close();
    await second.close();
  });

  it("asks for the token where there is one", async () => {
    const guarded = await serve("s3cret");
    const [without, wrong, right] = [undefined, "guess", "s3cret"].map((token) =>
      designerClient(guarded.address, token),
    );

    for (const one of [without, wrong])
      await expect(one?.call({ ...ids() })).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
    expect((await right?.call({ ...ids() }))?.at(-1)).toMatchObject({ type: "MESSAGE", is_final: true });

    for (const one of [without, wrong, right]) one?.close();
    await guarded.close();
  });

  it("is not open to other machines without a token", async () => {
    const { process } = rig;
    const open = { process, port: 0, log: silentLog, host: "0.0.0.0" };

    await expect(serveGrpc({ ...open, token: null })).rejects.toMatchObject({ code: "grpc-token" });
  });
});

describe("a client that ends a call", () => {
  /** A model that never answers, and how its question ended. */
  const hanging = () => {
    const asked = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const model = scriptedModel([
      (_, { signal }) => {
        asked.resolve();
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            ended.resolve(signal.reason);
            reject(signal.reason);
          });
        });
      },
    ]);
    return { model, asked: asked.promise, ended: ended.promise };
  };

  it.each(["deadline", "cancel"] as const)("by %s ends the question to the model", async (how) => {
    const { model, asked, ended } = hanging();
    const own = await designerRig(triageStory, { model });
    const slow = await serveGrpc({
      process: own.process,
      host: "127.0.0.1",
      port: 0,
      token: null,
      log: silentLog,
    });
    const impatient = designerClient(slow.address);
    const request = { ...ids(), user_message: "Sort issues" };

    const stream = impatient.open(request, how === "deadline" ? { deadline: Date.now() + 1_500 } : {});
    const failed = new Promise<unknown>((resolve) => stream.on("error", resolve));
    stream.on("data", () => undefined);
    await asked;
    if (how === "cancel") stream.cancel();

    expect(await failed).toMatchObject({
      code: how === "cancel" ? status.CANCELLED : status.DEADLINE_EXCEEDED,
    });
    expect(await ended).toMatchObject({ code: "cancelled" });
    impatient.close();
    await slow.close();
    await own.dispose();
  });
});

describe("bad input", () => {
  it.each([
    ["no session", { user_message: "Hello" }, /session_id/],
    ["no UUID", { session_id: "7", user_id: "8" }, /session_id/],
    [
      "a long message",
      { ...ids(), user_message: "x".repeat(20_001) },
      /user_message: must have at most 20000/,
    ],
    ["a state of no stage", { ...ids(), current_state: { ...ids(), stage: 42 } }, /stage/],
    ["a language that there is not", { ...ids(), config: { language: "xx" } }, /language/],
  ])("is answered clearly: %s", async (_, request, details) => {
    expect(errorsOf(await client.call(request))).toEqual([
      expect.objectContaining({
        error_code: "request-invalid",
        is_recoverable: true,
        details: expect.stringMatching(details),
      }),
    ]);
  });

  it("does not take another session's state", async () => {
    const { state } = await converse(triageWords.slice(0, 1));

    const responses = await client.call({ ...ids(), user_message: "Hello", current_state: state });

    expect(errorsOf(responses)).toEqual([expect.objectContaining({ error_code: "state-foreign" })]);
    expect(responses.at(-1)?.updated_state).toBeNull();
  });

  it("refuses what is larger than any conversation", async () => {
    const conversations = [{ role: "user", text: "x".repeat(17 * 1024 * 1024) }];

    await expect(client.call({ ...ids(), current_state: { ...ids(), conversations } })).rejects.toMatchObject(
      { code: status.RESOURCE_EXHAUSTED },
    );
  });

  it("says when a text is not UTF-8, and takes one that has U+FFFD itself", async () => {
    const path = "/workflow_agent.WorkflowAgent/ProcessConversation";
    const bytes = (text: Buffer): Buffer => {
      const field = (tag: number, value: Buffer) => Buffer.concat([Buffer.from([tag, value.length]), value]);
      const { session_id, user_id } = ids();
      return Buffer.concat([
        field(10, Buffer.from(session_id)),
        field(18, Buffer.from(user_id)),
        field(26, text),
      ]);
    };
    const sent = async (text: Buffer): Promise<string> => {
      const stream = client.client.makeServerStreamRequest(
        path,
        (given: Buffer) => given,
        (given: Buffer) => given,
        bytes(text),
      );
      return (await Array.fromAsync(stream as AsyncIterable<Buffer>)).map(String).join("\n");
    };

    expect(await sent(Buffer.from([0x53, 0xff, 0xfe, 0x74]))).toContain("not valid UTF-8");
    expect(await sent(Buffer.from("sort \uFFFD issues"))).toContain("What should it tell apart");
  });
});
