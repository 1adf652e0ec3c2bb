import { randomUUID } from "node:crypto";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { type GrpcService, serveGrpc } from "../../../src/designer/grpc/serve-grpc.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import { type DesignerRig, designerRig } from "../../rigs/designer.ts";
import { type DesignerClient, designerClient, type WireResponse } from "../../rigs/designer-client.ts";
import { designerGrpc, grpcDesigner } from "../../rigs/designer-grpc.ts";
import { triageNode, triageStory, triageWords } from "../../rigs/designer-story.ts";
import { freePort } from "../../rigs/free-port.ts";

let rig: DesignerRig;
let service: GrpcService;
let client: DesignerClient;
let dispose: () => Promise<void>;
const ids = () => ({ session_id: randomUUID(), user_id: randomUUID() });

beforeEach(async () => {
  ({ rig, service, client, dispose } = await grpcDesigner(triageStory));
});
afterEach(() => dispose());

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

    expect(byGrpc).toBe(await triageNode());
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
    const first = await designerGrpc(rig, port);
    const own = designerClient(first.address);
    const session = ids();
    const before = await own.call({ ...session, user_message: triageWords[0] });
    await first.close();
    await expect(own.call({ ...session, user_message: triageWords[1] })).rejects.toMatchObject({
      code: status.UNAVAILABLE,
    });
    const second = await designerGrpc(rig, port);

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

  it("asks for the token", async () => {
    for (const token of [null, "a-guess"]) {
      const stranger = designerClient(service.address, token);
      await expect(stranger.call(ids())).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
      stranger.close();
    }

    expect((await client.call(ids())).at(-1)).toMatchObject({ type: "MESSAGE", is_final: true });
  });

  it.each(["127.0.0.1", "0.0.0.0"])("is not served on %s without a token", async (host) => {
    const { process } = rig;

    await expect(serveGrpc({ process, host, port: 0, token: null, log: silentLog })).rejects.toMatchObject({
      code: "grpc-token",
      message: expect.stringMatching(/^designer\.grpcPort needs UWF_API_TOKEN/),
    });
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
    const slow = await designerGrpc(own);
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
});
