import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { designerRig } from "../../rigs/designer.ts";
import { designerClient, type WireResponse } from "../../rigs/designer-client.ts";
import { designerGrpc } from "../../rigs/designer-grpc.ts";
import { designerHttp } from "../../rigs/designer-http.ts";
import {
  answers,
  type DesignerTask,
  faultyFile,
  lastSaidIn,
  taskIn,
  triageStory,
  triageWords,
} from "../../rigs/designer-story.ts";
import type { ModelScript } from "../../rigs/model-script.ts";

/** What comes back: the failure, if there was one, the last words, and the stage. */
type Heard = {
  error: { code: string; recoverable: boolean; message: string } | null;
  text: string;
  stage: string;
};
/** One conversation, held in one of the ways that there are. */
type Conversation = { say(text: string): Promise<Heard> } & AsyncDisposable;

const overHttp = async (script: ModelScript): Promise<Conversation> => {
  const http = await designerHttp(script);
  const session = await http.open();
  return {
    say: async (text) => {
      const last = (await http.say(session, text)).at(-1);
      const { stage } = (await http.ask("GET", `/api/v1/session/${session}`)).body;
      const failed = last?.type === "error" ? last.content : null;
      return {
        error: failed && {
          ...{ code: failed.error_code, recoverable: failed.is_recoverable, message: failed.message },
        },
        text: last?.type === "message" && "content" in last ? last.content.text : "",
        stage: String(stage),
      };
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
};

const overGrpc = async (script: ModelScript): Promise<Conversation> => {
  const rig = await designerRig(script);
  const service = await designerGrpc(rig);
  const client = designerClient(service.address);
  const session = { session_id: randomUUID(), user_id: randomUUID() };
  let current_state: WireResponse["updated_state"] = null;
  return {
    say: async (user_message) => {
      const last = (await client.call({ ...session, user_message, current_state })).at(-1);
      current_state = last?.updated_state ?? current_state;
      const failed = last?.error;
      return {
        error: failed
          ? { code: failed.error_code, recoverable: failed.is_recoverable, message: failed.message }
          : null,
        text: last?.message?.text ?? "",
        stage: String(current_state?.stage).toLowerCase(),
      };
    },
    [Symbol.asyncDispose]: async () => {
      client.close();
      await service.close();
      await rig.dispose();
    },
  };
};

const ways = [
  ["HTTP", overHttp],
  ["gRPC", overGrpc],
] as const;

/** What is said until the model is asked for something, and what follows once it answers sensibly again. */
const tasks = [
  ["listen", triageWords.slice(0, 1), "clarification"],
  ["needs", triageWords.slice(0, 4), "alternative_generation"],
  ["alternatives", triageWords.slice(0, 4), "alternative_generation"],
  ["steer", [...triageWords.slice(0, 4), "Hm, what now?"], "completed"],
  ["write", triageWords, "completed"],
] as const satisfies readonly (readonly [DesignerTask, readonly string[], string])[];

/** As the story goes, but for three senseless answers to one task: all that the model is given at once. */
const senseless = (task: DesignerTask): ModelScript => {
  let asked = 0;
  return (request) => {
    if (taskIn(request) !== task || ++asked > 3) return triageStory(request);
    return asked === 1
      ? { content: "Well, well." }
      : answers({ next: 7, yaml: "", needs: "all", alternatives: [], decision: "fly" }, "So.");
  };
};

describe.each(ways)("over %s", (_, begin) => {
  it.each(tasks)(
    "a model that answers nonsense to %s is named, and asked anew",
    async (task, words, then) => {
      await using conversation = await begin(senseless(task));
      let heard: Heard | undefined;
      for (const text of words) heard = await conversation.say(text);

      expect(heard).toMatchObject({
        error: {
          code: "answer-invalid",
          recoverable: true,
          message: expect.stringContaining("no usable answer"),
        },
        stage: "error",
      });
      expect(await conversation.say("")).toMatchObject({ error: null, stage: then });
    },
  );

  it("a workflow that never passes its checks is put before the person, whose word mends it", async () => {
    await using conversation = await begin((request) => {
      const isHinted = lastSaidIn(request).includes("only two roles");
      switch (taskIn(request)) {
        case "steer":
          return isHinted ? answers({ decision: "go_on" }, "I try again.") : triageStory(request);
        case "write":
          return isHinted ? triageStory(request) : answers({ yaml: faultyFile, summary: "It sorts." });
        default:
          return triageStory(request);
      }
    });
    let heard: Heard | undefined;
    for (const text of triageWords) heard = await conversation.say(text);

    expect(heard).toMatchObject({ error: null, stage: "debug", text: expect.stringContaining('"nobody"') });
    expect(await conversation.say("There are only two roles")).toMatchObject({ stage: "completed" });
  });
});

describe("a request that cannot be obeyed", () => {
  const nobody = "00000000-0000-4000-8000-000000000000";
  const tooLong = "x".repeat(20_001);

  /** Over HTTP sessions are the server's: what it does not have, or has of somebody else, is unknown. */
  it.each([
    ["to an unknown session", 404, "session-unknown", { session_id: nobody }],
    ["to somebody else's session", 404, "session-unknown", { session_id: "foreign" }],
    ["with a message that is too long", 413, "message-too-long", { user_message: tooLong }],
    ["of bytes that are no UTF-8", 400, "not-utf-8", Buffer.from('{"user_message":"\xff"}', "latin1")],
  ])("over HTTP, %s, is told why, and the session goes on", async (_, status, error_code, given) => {
    await using http = await designerHttp(triageStory);
    const session = await http.open();
    const foreign = await http.rig.states.createSession({
      ...{ userId: nobody, action: "create", workflowId: null },
    });
    const said = Buffer.isBuffer(given)
      ? given
      : JSON.stringify({ session_id: session, user_message: "Hello", ...given }).replace(
          '"foreign"',
          `"${foreign.id}"`,
        );

    const response = await http.request("/api/v1/chat/stream", {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body: said },
    });

    expect([response.status, await response.json()]).toEqual([
      status,
      expect.objectContaining({ error: expect.any(String), error_code, is_recoverable: true }),
    ]);
    expect((await http.say(session, triageWords[0])).at(-1)).toMatchObject({ type: "message" });
  });

  /** Over gRPC the client has the session: one that nobody knows is a new one. */
  it.each([
    ["with another session's state", "state-foreign", (state: object) => ({ current_state: state })],
    ["with a message that is too long", "request-invalid", () => ({ user_message: tooLong })],
  ])("over gRPC, %s, is told why, and the session goes on", async (_, error_code, given) => {
    const rig = await designerRig(triageStory);
    const service = await designerGrpc(rig);
    const client = designerClient(service.address);
    const ids = () => ({ session_id: randomUUID(), user_id: randomUUID() });
    const session = ids();
    const begun = (await client.call({ ...session, user_message: triageWords[0] })).at(-1)?.updated_state;

    const refused = await client.call({ ...ids(), user_message: "Hello", ...given(begun ?? {}) });
    const after = await client.call({ ...session, user_message: triageWords[1], current_state: begun });

    expect(refused).toEqual([
      expect.objectContaining({
        ...{ type: "ERROR", is_final: true },
        error: expect.objectContaining({ error_code, is_recoverable: true, message: expect.any(String) }),
      }),
    ]);
    expect(after.at(-1)).toMatchObject({ updated_state: { stage: "NEGOTIATION" } });
    client.close();
    await service.close();
    await rig.dispose();
  });
});
