import { once } from "node:events";
import type { Server, ServerWritableStream, ServiceDefinition } from "@grpc/grpc-js";
import { AppError, configError, isAbort, messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { ProcessConversation } from "../designer.ts";
import { refusal } from "../refusal.ts";
import { bearerOnly } from "./bearer.ts";
import { type Received, serviceDefinition } from "./definition.ts";
import { readRequest, wireResponse } from "./wire.ts";

export type GrpcOptions = {
  process: ProcessConversation;
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** What clients bring as `authorization: Bearer <token>`; null: nothing is served. */
  token: string | null;
  log: Log;
};

export type GrpcService = {
  /** `host:port`. */
  address: string;
  /** Takes no new calls, and lets those under way end for a while. */
  close(): Promise<void>;
};

/** A whole state comes in and goes out; more than a long conversation is refused as `RESOURCE_EXHAUSTED`. */
const MAX_BYTES = 8 * 1024 * 1024;
const CLOSING_MS = 5_000;

type Call = ServerWritableStream<Received, object>;
type Grpc = typeof import("@grpc/grpc-js");

/** Serves `WorkflowAgent` without TLS. Throws `grpc-address` and `grpc-token` (fix-config). */
export const serveGrpc = async (options: GrpcOptions): Promise<GrpcService> => {
  const { host, port, token } = options;
  if (token === null)
    throw configError(
      "grpc-token",
      "designer.grpcPort needs UWF_API_TOKEN: without it, whoever reaches the port would be the operator",
      "Set UWF_API_TOKEN (`openssl rand -hex 32` makes one), or leave designer.grpcPort out.",
    );
  const grpc: Grpc = await import("@grpc/grpc-js");
  const server = new grpc.Server({
    interceptors: [bearerOnly(token, grpc)],
    "grpc.max_receive_message_length": MAX_BYTES,
    "grpc.max_send_message_length": MAX_BYTES,
    // A client that vanished is noticed, and its model call ended.
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 10_000,
  });
  const service: ServiceDefinition = await serviceDefinition();
  server.addService(service, {
    ProcessConversation: (call: Call) => {
      answer(call, { ...options, grpc }).catch((error: unknown) => {
        options.log.error({ error: messageOf(error) }, "a gRPC call of the designer failed");
        call.emit("error", { code: grpc.status.INTERNAL, details: "internal error" });
      });
    },
  });
  const bound = await bind(server, { grpc, host, port });
  return { address: `${host.includes(":") ? `[${host}]` : host}:${bound}`, close: () => close(server) };
};

const bind = (
  server: Server,
  { grpc, host, port }: { grpc: Grpc; host: string; port: number },
): Promise<number> =>
  new Promise((resolve, reject) => {
    const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(configError("grpc-address", `cannot listen on ${address}: ${messageOf(error)}`));
    });
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const forced = setTimeout(() => server.forceShutdown(), CLOSING_MS);
    server.tryShutdown(() => {
      clearTimeout(forced);
      resolve();
    });
  });

const answer = async (call: Call, { process, grpc }: GrpcOptions & { grpc: Grpc }): Promise<void> => {
  const received = call.request;
  if (received.flaw === "too-many-fields") {
    const details = "The request has more fields than the longest conversation.";
    call.emit("error", { code: grpc.status.RESOURCE_EXHAUSTED, details });
    return;
  }
  const ended = new AbortController();
  // Also when its deadline has passed, or its connection is gone.
  call.once("cancelled", () => ended.abort(cancelled()));
  const read =
    received.flaw === null
      ? readRequest(received.message)
      : { ok: false as const, problems: ["a text is not valid UTF-8"] };
  if (!read.ok) {
    const error = {
      error_code: "request-invalid",
      message: "The request cannot be used.",
      details: read.problems.join("\n"),
    };
    call.write(wireResponse(refusal(error, { session_id: "", timestamp: Date.now() })));
    call.end();
    return;
  }
  try {
    for await (const response of process(read.request, { signal: ended.signal }))
      if (!call.write(wireResponse(response))) await drained(call, ended.signal);
    call.end();
  } catch (error) {
    // Nobody is there to be told.
    if (!isAbort(error, ended.signal)) throw error;
  }
};

const drained = async (call: Call, signal: AbortSignal): Promise<void> => {
  await once(call, "drain", { signal });
};

const cancelled = (): AppError =>
  new AppError("The client has ended the call.", { code: "cancelled", remedy: "retry" });
