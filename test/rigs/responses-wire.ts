import type { ScriptedReply } from "../../src/llm/scripted-model.ts";
import { listOf, piecesOf, roleName, textOf, wireUsage } from "./chat-wire.ts";
import { completeReply, type ModelServerRequest, type ScriptMessage } from "./model-script.ts";

/** The input items of a responses-API body, as messages: consecutive items of the model make one message. */
export const responsesMessages = (body: Record<string, unknown>): ScriptMessage[] => {
  const messages: ScriptMessage[] = [];
  for (const item of listOf(body.input)) {
    if (item.type === "reasoning") continue;
    if (item.type === "function_call_output") {
      messages.push({
        role: "tool",
        content: textOf(item.output),
        toolCalls: [],
        callId: String(item.call_id),
      });
      continue;
    }
    const calls =
      item.type === "function_call"
        ? [{ id: String(item.call_id), name: String(item.name), arguments: String(item.arguments) }]
        : [];
    const role = calls.length > 0 ? "assistant" : roleName(item.role);
    const last = messages.at(-1);
    if (role === "assistant" && last?.role === "assistant") {
      const content = last.content + textOf(item.content);
      messages[messages.length - 1] = { ...last, content, toolCalls: [...last.toolCalls, ...calls] };
    } else messages.push({ role, content: textOf(item.content), toolCalls: calls, callId: null });
  }
  return messages;
};

/** The SSE payloads of a streamed response; the last is the terminal event. */
export const responsesEvents = (reply: ScriptedReply, request: ModelServerRequest): { type: string }[] => {
  const output = outputOf(reply, request);
  const response = responsesBody(reply, request);
  return [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ...output.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item },
      ...(item.type === "message"
        ? piecesOf(reply.content ?? "").map((delta) => ({
            type: "response.output_text.delta",
            item_id: item.id,
            output_index,
            content_index: 0,
            delta,
          }))
        : []),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: response.status === "completed" ? "response.completed" : "response.incomplete", response },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
};

export const responsesBody = (reply: ScriptedReply, request: ModelServerRequest) => {
  const usage = wireUsage(reply, request);
  const incomplete = reply.finish === "length" || reply.finish === "filtered";
  return {
    id: "resp_scripted",
    object: "response",
    created_at: 0,
    model: request.model,
    status: incomplete ? "incomplete" : "completed",
    incomplete_details: incomplete
      ? { reason: reply.finish === "length" ? "max_output_tokens" : "content_filter" }
      : null,
    error: null,
    output: outputOf(reply, request),
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
  };
};

/** `reasoning` of a scripted reply is the list of reasoning items to send. */
const outputOf = (reply: ScriptedReply, { messages }: ModelServerRequest): Record<string, unknown>[] => {
  const { content, toolCalls, reasoning } = completeReply(reply, messages);
  return [
    ...listOf(reasoning),
    ...(content === ""
      ? []
      : [
          {
            type: "message",
            id: `msg_${messages.length}`,
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: content, annotations: [] }],
          },
        ]),
    ...toolCalls.map(({ id, name, arguments: args }) => ({
      type: "function_call",
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: args,
      status: "completed",
    })),
  ];
};
