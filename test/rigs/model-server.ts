import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { messageOf } from "../../src/base/errors.ts";
import { isObject } from "../../src/base/json.ts";
import type { ScriptedReply } from "../../src/llm/scripted-model.ts";
import { chatChunks, chatCompletion, chatMessages, chatTools } from "./chat-wire.ts";
import type { Fault, ModelScript, ModelServerRequest } from "./model-script.ts";
import { responsesBody, responsesEvents, responsesMessages } from "./responses-wire.ts";

export type ModelServer = {
  /** The base address to configure, ending in `/v1`. */
  url: string;
  /** Every request that reached the script, oldest first. */
  requests: readonly ModelServerRequest[];
  close(): Promise<void>;
};

export type ModelServerOptions = {
  script: ModelScript;
  /** With a key, requests without `Authorization: Bearer <key>` get a 401. */
  apiKey?: string;
  /** Milliseconds between two chunks of a stream, for people who watch. */
  paceMs?: number;
  log?: (line: string) => void;
};

/**
 * A scripted model behind HTTP on a free port of 127.0.0.1: OpenAI's chat completions and responses, streamed or
 * not, with the failures of real servers. It keeps no state between requests but the list of them.
 */
export const modelServer = async (options: ModelServerOptions): Promise<ModelServer> => {
  const requests: ModelServerRequest[] = [];
  const server = createServer((request, response) => {
    serve(request, response, { ...options, requests }).catch((error: unknown) => {
      options.log?.(`model server: ${messageOf(error)}`);
      if (response.headersSent) response.destroy();
      else send(response, 400, { error: { message: `scripted model: ${messageOf(error)}` } });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
};

const serve = async (
  incoming: IncomingMessage,
  response: ServerResponse,
  options: ModelServerOptions & { requests: ModelServerRequest[] },
): Promise<void> => {
  const { apiKey, requests, script, paceMs = 0, log } = options;
  const refuse = (status: number, message: string) => send(response, status, { error: { message } });
  if (apiKey !== undefined && incoming.headers.authorization !== `Bearer ${apiKey}`) {
    return refuse(401, "Incorrect API key provided.");
  }
  const route = `${incoming.method} ${incoming.url}`;
  if (route === "GET /v1/models") return send(response, 200, { object: "list", data: [{ id: "scripted" }] });
  const api = ROUTES[route];
  if (api === undefined) return refuse(404, `no route ${route}`);

  const request = parse(api, await text(incoming), incoming);
  requests.push(request);
  const answer = await script(request);
  log?.(`${request.model}: ${describe(answer)}`);
  if ("fault" in answer && answer.fault === "status") {
    return send(
      response,
      answer.status,
      answer.body ?? { error: { message: `fault ${answer.status}` } },
      answer.headers,
    );
  }
  const fault = "fault" in answer ? answer : null;
  const reply: ScriptedReply = "fault" in answer ? (answer.reply ?? LONG_REPLY) : answer;
  if (request.stream || fault !== null) return stream(response, framesOf(reply, request), { fault, paceMs });
  send(response, 200, api === "chat" ? chatCompletion(reply, request) : responsesBody(reply, request));
};

const ROUTES: Readonly<Record<string, ModelServerRequest["api"]>> = {
  "POST /v1/chat/completions": "chat",
  "POST /v1/responses": "responses",
};

/** What a failing stream was about to say: long enough to be cut anywhere. */
const LONG_REPLY: ScriptedReply = {
  content: "This reply is going to fail before it has come to its end. ".repeat(3),
};

const parse = (
  api: ModelServerRequest["api"],
  json: string,
  { headers }: IncomingMessage,
): ModelServerRequest => {
  const body: unknown = JSON.parse(json);
  if (!isObject(body)) throw new Error("the body is not an object");
  return {
    api,
    model: String(body.model),
    messages: api === "chat" ? chatMessages(body) : responsesMessages(body),
    tools: chatTools(body),
    stream: body.stream === true,
    headers,
    body,
  };
};

/** The stream as it goes over the wire, chunk by chunk. */
const framesOf = (reply: ScriptedReply, request: ModelServerRequest): string[] =>
  request.api === "chat"
    ? [...chatChunks(reply, request).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), "data: [DONE]\n\n"]
    : responsesEvents(reply, request).map(
        (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      );

type StreamFault = Exclude<Fault, { fault: "status" }>;

const stream = async (
  response: ServerResponse,
  frames: readonly string[],
  { fault, paceMs }: { fault: StreamFault | null; paceMs: number },
): Promise<void> => {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  for (const frame of fault === null ? frames : frames.slice(0, fault.after ?? 2)) {
    if (!(await write(response, frame))) return;
    if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
  }
  if (fault?.fault === "hang") return;
  if (fault?.fault === "garbage") await write(response, 'data: {"choices": [{"delta": {"content": "ha\n\n');
  if (fault?.fault === "cut") response.destroy();
  else response.end();
};

/** False when the other side has gone. */
const write = (response: ServerResponse, frame: string): Promise<boolean> =>
  new Promise((resolve) => {
    if (response.destroyed) resolve(false);
    else response.write(frame, (error) => resolve(!error));
  });

const send = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  const asText = typeof body === "string";
  response.writeHead(status, { "content-type": asText ? "text/plain" : "application/json", ...headers });
  response.end(asText ? body : JSON.stringify(body));
};

const describe = (answer: ScriptedReply | Fault): string => {
  if ("fault" in answer) return answer.fault === "status" ? `answers ${answer.status}` : answer.fault;
  const names = (answer.toolCalls ?? []).map((call) => call.name);
  return names.length > 0 ? `calls ${names.join(", ")}` : `says ${(answer.content ?? "").slice(0, 60)}`;
};
