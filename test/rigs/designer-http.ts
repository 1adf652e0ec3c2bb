import Fastify from "fastify";
import type { ForgeKind } from "../../src/forge/events.ts";
import { type OperatorRunParts, operatorRuns } from "../../src/intake/operator-run.ts";
import { BEARER, tokenGuard } from "../../src/server/api-token.ts";
import { designerApi } from "../../src/server/designer/designer-api.ts";
import { designerPage } from "../../src/server/designer/designer-page.ts";
import type { StreamEvent } from "../../src/server/designer/stream-event.ts";
import { listen } from "../../src/server/server.ts";
import { type FakeForge, fakeForge } from "../fixtures/fake-forge.ts";
import { intakeParts, locateHere } from "../fixtures/intake-parts.ts";
import { type DesignerRig, designerRig } from "./designer.ts";
import type { ModelScript } from "./model-script.ts";

const TOKEN = "a-token-of-the-operator";

export type Answer = { status: number; body: Record<string, unknown> };

/** What is asked of a designer over HTTP. */
export type DesignerCalls = {
  /** With the token, and with JSON where there is a body. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  request(path: string, init: RequestInit): Promise<Response>;
  /** A new session; its id. */
  open(body?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Says something and waits for the last event. */
  say(sessionId: string, text: string, config?: Readonly<Record<string, unknown>>): Promise<StreamEvent[]>;
};

export type DesignerHttp = DesignerCalls & {
  rig: DesignerRig;
  /** Where workflows run: nobody works here. */
  forge: FakeForge;
  url: string;
  token: string;
} & AsyncDisposable;

export type DesignerHttpOptions = {
  /** Of what starts workflows. */
  intake?: Partial<OperatorRunParts>;
  /** Those that workflows can run on. */
  forges?: readonly ForgeKind[];
};

/** The designer behind HTTP, with a scripted model. */
export const designerHttp = async (
  script: ModelScript,
  { intake = {}, forges = ["github"] }: DesignerHttpOptions = {},
): Promise<DesignerHttp> => {
  const rig = await designerRig(script);
  const forge = fakeForge();
  const start = operatorRuns({ ...intakeParts({ store: rig.store, forge }), locate: locateHere, ...intake });
  const server = Fastify();
  const { sessions, states, userId, parts } = rig;
  await server.register(designerApi, {
    ...{
      sessions,
      states,
      userId,
      designs: parts.workflows,
      runs: { forges, start },
      guard: tokenGuard({ UWF_API_TOKEN: TOKEN }, { challenge: BEARER }),
    },
  });
  await server.register(designerPage);
  const url = await listen(server as never, { host: "127.0.0.1", port: 0 });
  return {
    ...designerCalls(url, TOKEN),
    ...{ rig, forge, url, token: TOKEN },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await rig.dispose();
    },
  };
};

/** Calls of whichever server is at the address. */
export const designerCalls = (url: string, token: string): DesignerCalls => {
  const request: DesignerCalls["request"] = (path, { headers, ...init }) =>
    fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...headers } });
  const send = (method: string, path: string, body?: unknown) =>
    request(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  const ask: DesignerCalls["ask"] = async (method, path, body) => {
    const response = await send(method, path, body);
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  };
  return {
    ...{ ask, request },
    open: async (body = { action: "create" }) =>
      String((await ask("POST", "/api/v1/session", body)).body.session_id),
    say: async (session_id, user_message, config = {}) => {
      const response = await send("POST", "/api/v1/chat/stream", { session_id, user_message, config });
      return eventsIn(await response.text());
    },
  };
};

export const eventsIn = (stream: string): StreamEvent[] =>
  stream
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => JSON.parse(event.slice("data: ".length)));
