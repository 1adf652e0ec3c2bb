import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ChatCompletionRequest, type FixtureResponse, LLMock } from "@copilotkit/aimock";

/** One question of a coding agent, whatever API it speaks. */
export type AgentQuestion = {
  /** What it was told by its user, in all messages of this request. */
  told: string;
  /** Names of the tools that it offers. */
  tools: readonly string[];
  /** True once a tool has answered in this request's messages. */
  hasWorked: boolean;
};

export type AgentModel = {
  /** Without a path: it speaks Anthropic's messages, OpenAI's chat completions and responses, and Google's generateContent. */
  url: string;
  questions: readonly AgentQuestion[];
  close(): Promise<void>;
};

/** A scripted model for external coding agents on a free port of 127.0.0.1. */
export const agentModel = async (
  answer: (question: AgentQuestion) => FixtureResponse,
): Promise<AgentModel> => {
  const questions: AgentQuestion[] = [];
  const mock = new LLMock({ host: "127.0.0.1", port: 0 });
  mock.addFixture({
    match: { predicate: () => true },
    response: (asked) => {
      const question = questionOf(asked);
      questions.push(question);
      return answer(question);
    },
  });
  await mock.start();
  const front = createServer((incoming, response) => forward(incoming, response, new URL(mock.url)));
  front.on("upgrade", (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    front.listen(0, "127.0.0.1", resolve);
  });
  const { port } = front.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    questions,
    close: async () => {
      front.closeAllConnections();
      await new Promise((resolve) => {
        front.close(resolve);
      });
      await mock.stop();
    },
  };
};

/** Google has the same API at two places, of which the mock knows one; the other lets an agent be given an address and a key. */
const forward = (incoming: IncomingMessage, response: ServerResponse, to: URL): void => {
  const path = (incoming.url ?? "/").replace("/v1beta1/publishers/google/", "/v1beta/");
  const { method, headers } = incoming;
  // A connection of its own: agents ask for theirs to be closed, and one that closes takes no further request.
  const place = { host: to.hostname, port: to.port, agent: false };
  const onward = request({ ...place, method, path, headers }, (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(response);
  });
  onward.on("error", () => response.destroy());
  incoming.pipe(onward);
};

const questionOf = ({ messages, tools = [] }: ChatCompletionRequest): AgentQuestion => ({
  told: messages
    .filter(({ role }) => role === "user")
    .map(({ content }) =>
      typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("\n"),
    )
    .join("\n"),
  tools: tools.map((tool) => tool.function.name),
  hasWorked: messages.some(({ role }) => role === "tool"),
});
