import { describe, expect, it } from "vitest";
import { type DesignerHttp, designerHttp, eventsIn } from "../../rigs/designer-http.ts";
import { triageFile, triageNode, triageStory, triageWords } from "../../rigs/designer-story.ts";
import { newGate } from "../../rigs/gate.ts";

const nobody = "00000000-0000-4000-8000-000000000000";
const json = { "content-type": "application/json" };

const talked = async (http: DesignerHttp) => {
  const session = await http.open();
  const heard = [];
  for (const words of triageWords) heard.push(await http.say(session, words));
  return { session, heard };
};

describe("the designer over HTTP", () => {
  it("makes a workflow from a conversation, told as events", async () => {
    await using http = await designerHttp(triageStory);
    const { session, heard } = await talked(http);

    expect(heard[0]).toEqual([
      {
        type: "status",
        content: {
          ...{ new_stage: "clarification", previous_stage: "clarification" },
          ...{ stage_description: expect.any(String), pending_actions: [expect.any(String)] },
        },
        is_final: false,
      },
      {
        type: "message",
        content: {
          ...{ text: "What should it tell apart, and when?", role: "assistant", message_type: "question" },
          questions: [
            expect.objectContaining({ id: "kinds", category: "logic", is_required: true }),
            expect.objectContaining({ id: "start", is_required: false }),
          ],
        },
        is_final: true,
      },
    ]);
    expect(heard[1]?.filter(({ type }) => type === "status").at(-1)).toMatchObject({
      type: "status",
      content: { previous_stage: "clarification", new_stage: "negotiation" },
      is_final: false,
    });
    const last = heard.at(-1) ?? [];
    const kinds = last.map(({ type }) => type).filter((type) => type.startsWith("workflow_"));
    expect(kinds).toEqual([
      ...["workflow_generation_started", "workflow_draft", "workflow_debugging"],
      ...["workflow_draft", "workflow_debugging", "workflow_complete"],
    ]);
    expect(last.find(({ type }) => type === "workflow_complete")).toMatchObject({
      workflow_id: expect.any(String),
      data: { name: "triage", node: await triageNode(), dry_run: { ok: true } },
    });
    for (const events of heard)
      expect(events.map(({ is_final }) => is_final).indexOf(true)).toBe(events.length - 1);
    expect((await http.ask("GET", `/api/v1/session/${session}`)).body).toMatchObject({
      ...{ session_id: session, stage: "completed", action_type: "create" },
      ...{ conversation_turns: triageWords.length, has_workflow: true },
      last_updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect((await http.ask("GET", `/api/v1/workflow/${session}/status`)).body).toMatchObject({
      ...{ stage: "completed", has_workflow: true, debug_loop_count: 0 },
      workflow_data: {
        ...{ name: "triage", source: triageFile, dry_run: { ok: true } },
        drawing: {
          nodes: [
            { id: "$START", kind: "start" },
            { id: "sorter", kind: "role" },
            { id: "$SUSPEND", kind: "wait" },
            { id: "$END", kind: "end" },
          ],
          edges: [
            { edge: 0, from: "$START", to: "sorter", when: null },
            { edge: 1 },
            { edge: 2 },
            { edge: 3 },
          ],
        },
      },
    });
    const { body } = await http.ask("GET", `/api/v1/chat/history/${session}`);
    expect(body).toMatchObject({ current_stage: "completed", total_turns: triageWords.length });
    expect((body.conversations as { role: string; text: string }[])[0]).toMatchObject({
      role: "user",
      text: triageWords[0],
    });
  });

  it("begins from a design of one's own, or from an installed workflow by its name", async () => {
    await using http = await designerHttp(triageStory);
    const { session } = await talked(http);
    const { workflow_id } = (await http.ask("GET", `/api/v1/workflow/${session}/status`)).body;

    const edited = await http.ask("POST", "/api/v1/session", { action: "edit", workflow_id });
    const copied = await http.ask("POST", "/api/v1/session", { action: "copy", workflow_name: "develop" });

    expect(edited).toMatchObject({
      status: 201,
      body: {
        action_type: "edit",
        workflow_context: { origin: "edit", source_workflow_id: workflow_id },
        message: expect.any(String),
      },
    });
    expect(copied).toMatchObject({ status: 201, body: { workflow_context: { origin: "copy" } } });
  });

  it("lists what is not completed, and removes it", async () => {
    await using http = await designerHttp(triageStory);
    await talked(http);
    const open = await http.open();

    const { body } = await http.ask("GET", "/api/v1/session");
    const removed = await http.ask("DELETE", `/api/v1/session/${open}`);

    expect(body).toEqual({ sessions: [expect.objectContaining({ session_id: open, stage: null })] });
    expect(removed.status).toBe(204);
    expect((await http.ask("GET", `/api/v1/session/${open}`)).status).toBe(404);
  });

  it("sends pieces of a message as they are written, where that is asked for", async () => {
    await using http = await designerHttp(triageStory);
    const events = await http.say(await http.open(), triageWords[0], { enable_streaming: true });

    const pieces = events.flatMap((event) => ("delta" in event ? [event.delta] : []));
    expect(pieces.join("")).toContain("What should it tell apart, and when?");
    expect(events.at(-1)).toMatchObject({ type: "message", is_final: true, content: expect.anything() });
  });

  it("begins to answer before the model does, and ends its work when nobody listens", async () => {
    const door = newGate();
    door.set({ kind: "shut" });
    await using http = await designerHttp(async (request) => {
      await door.passed();
      return triageStory(request);
    });
    const session = await http.open();
    const leaving = new AbortController();
    const response = await http.request("/api/v1/chat/stream", {
      ...{ method: "POST", headers: json, signal: leaving.signal },
      body: JSON.stringify({ session_id: session, user_message: triageWords[0] }),
    });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    await expect.poll(() => http.rig.server.requests.length, { timeout: 10_000 }).toBe(1);

    const meanwhile = await http.say(session, "And?");
    leaving.abort();
    door.set({ kind: "open" });

    expect(meanwhile).toEqual([
      expect.objectContaining({
        type: "error",
        content: expect.objectContaining({ error_code: "session-busy", is_recoverable: true }),
      }),
    ]);
    await expect
      .poll(async () => (await http.say(session, "")).at(-1), { timeout: 10_000 })
      .toMatchObject({ type: "message", content: { message_type: "question" } });
  });

  it.each([
    ["no such session", 404, "session-unknown", { session_id: nobody, user_message: "Hello" }],
    ["an id that is none", 400, "invalid-request", { session_id: "../etc", user_message: "Hello" }],
    ["no session", 400, "invalid-request", { user_message: "Hello" }],
    ["too much at once", 413, "message-too-long", { user_message: "x".repeat(20_001) }],
    ["far too much", 413, "request-too-large", { user_message: "x".repeat(300_000) }],
    ["a number for a text", 400, "invalid-request", { user_message: 7 }],
  ])("answers %s clearly", async (_, status, error_code, body) => {
    await using http = await designerHttp(triageStory);
    const session = await http.open();

    const said = error_code === "message-too-long" ? { session_id: session, ...body } : body;

    expect(await http.ask("POST", "/api/v1/chat/stream", said)).toEqual({
      status,
      body: expect.objectContaining({ error: expect.any(String), error_code, is_recoverable: true }),
    });
  });

  it.each([
    ["bytes that are no UTF-8", 400, json, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ["no JSON", 400, json, "{"],
    ["another prototype", 400, json, '{"session_id":"x","__proto__":{"a":1}}'],
    ["plain text, as any site can have sent", 415, { "content-type": "text/plain" }, "{}"],
    ["a form", 415, { "content-type": "application/x-www-form-urlencoded" }, "a=b"],
  ])("refuses %s", async (_, status, headers, body) => {
    await using http = await designerHttp(triageStory);

    const response = await http.request("/api/v1/chat/stream", { method: "POST", headers, body });

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: expect.any(String), is_recoverable: true });
  });

  it("is for whoever brings the token, and shows nobody another's sessions", async () => {
    await using http = await designerHttp(triageStory);
    const foreign = await http.rig.states.createSession({
      ...{ userId: nobody, action: "create", workflowId: null },
    });

    const bare = await fetch(`${http.url}/api/v1/session`, { method: "POST" });
    const wrong = await fetch(`${http.url}/api/v1/session`, { headers: { authorization: "Bearer no" } });
    const asked = await http.ask("GET", `/api/v1/session/${foreign.id}`);

    expect([bare.status, wrong.status, asked.status]).toEqual([401, 401, 404]);
    expect(asked.body).toMatchObject({ error_code: "session-unknown" });
  });

  it("describes itself, for programs and for people", async () => {
    await using http = await designerHttp(triageStory);

    const description = (await http.ask("GET", "/api/v1/openapi.json")).body;
    const page = await http.request("/api/v1/reference", {});

    expect(Object.keys(description.paths as object).toSorted()).toEqual([
      "/api/v1/chat/history/{session_id}",
      "/api/v1/chat/stream",
      "/api/v1/session",
      "/api/v1/session/{session_id}",
      "/api/v1/workflow/{session_id}/run",
      "/api/v1/workflow/{session_id}/status",
    ]);
    expect(JSON.stringify(description)).toContain("workflow_generation_started");
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("swagger");
  });

  it("reads its own events", () => {
    expect(eventsIn(': ping\n\ndata: {"type":"status"}\n\n')).toEqual([{ type: "status" }]);
  });
});
