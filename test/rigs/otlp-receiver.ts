import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type Field, fieldsOf } from "./protobuf.ts";

export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  /** Empty: it has no parent. */
  parentId: string;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Record<string, unknown>;
  /** 2: it failed. */
  status: number;
  /** Of the process that sent it. */
  resource: Record<string, unknown>;
};

export type OtlpReceiver = {
  /** `http://127.0.0.1:<port>`, without a path. */
  url: string;
  spans: ReceivedSpan[];
  requests: { path: string; headers: IncomingHttpHeaders }[];
  /** The status of the next answers. */
  answerWith(status: number): void;
  close(): Promise<void>;
};

/** A collector that takes traces as OTLP's protobuf over HTTP (opentelemetry/proto/trace/v1/trace.proto). */
export const otlpReceiver = async (): Promise<OtlpReceiver> => {
  const spans: ReceivedSpan[] = [];
  const requests: OtlpReceiver["requests"] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    requests.push({ path: request.url ?? "", headers: request.headers });
    if (status === 200) spans.push(...spansIn(body));
    response.writeHead(status, { "content-type": "application/x-protobuf" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    answerWith: (next) => {
      status = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

const spansIn = (body: Uint8Array): ReceivedSpan[] =>
  messages(body, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(resourceSpans, 1).flatMap((message) => messages(message, 1)));
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({ ...spanOf(span), resource }));
  });

const spanOf = (message: Uint8Array): Omit<ReceivedSpan, "resource"> => {
  const fields = fieldsOf(message);
  return {
    traceId: hex(fields, 1),
    spanId: hex(fields, 2),
    parentId: hex(fields, 4),
    name: text(bytesAt(fields, 5)),
    kind: Number(numberAt(fields, 6)),
    startMs: Number(numberAt(fields, 7)) / 1e6,
    endMs: Number(numberAt(fields, 8)) / 1e6,
    attributes: attributesOf(messages(message, 9)),
    status: messages(message, 15).map((state) => Number(numberAt(fieldsOf(state), 3)))[0] ?? 0,
  };
};

const attributesOf = (pairs: readonly Uint8Array[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map(fieldsOf).map((pair) => [text(bytesAt(pair, 1)), anyValue(bytesAt(pair, 2))]));

const anyValue = (message: Uint8Array): unknown => {
  const [field] = fieldsOf(message);
  if (field === undefined) return null;
  if (typeof field.value === "bigint") {
    if (field.number !== 4) return Number(field.value);
    return new Float64Array(new BigUint64Array([field.value]).buffer)[0];
  }
  return field.number === 5 ? messages(field.value, 1).map(anyValue) : text(field.value);
};

const messages = (message: Uint8Array, number: number): Uint8Array[] =>
  fieldsOf(message).flatMap((field) =>
    field.number === number && typeof field.value !== "bigint" ? [field.value] : [],
  );

const bytesAt = (fields: readonly Field[], number: number): Uint8Array => {
  const value = fields.find((field) => field.number === number)?.value;
  return value === undefined || typeof value === "bigint" ? new Uint8Array() : value;
};

const numberAt = (fields: readonly Field[], number: number): bigint => {
  const value = fields.find((field) => field.number === number)?.value;
  return typeof value === "bigint" ? value : 0n;
};

const hex = (fields: readonly Field[], number: number): string =>
  Buffer.from(bytesAt(fields, number)).toString("hex");
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
