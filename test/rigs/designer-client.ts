import { fileURLToPath } from "node:url";
import { type Client, credentials, loadPackageDefinition, Metadata, type ServiceError } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

/** What a client brings that is given no other. */
export const CLIENT_TOKEN = "a-token-of-the-operator";

const proto = fileURLToPath(new URL("../../src/designer/workflow_agent.proto", import.meta.url));

/** A response as any client that was made from the file gets it. */
export type WireResponse = {
  type: "MESSAGE" | "STATUS" | "ERROR";
  content?: "message" | "status" | "error";
  message?: { text: string; message_type: string; metadata: Record<string, string>; questions: unknown[] };
  status?: { new_stage: string; previous_stage: string };
  error?: { error_code: string; message: string; details: string; is_recoverable: boolean };
  updated_state: (Record<string, unknown> & { stage: string; workflow_id: string }) | null;
  is_final: boolean;
};

type Stream = NodeJS.ReadableStream & { cancel(): void };
type CallOptions = { deadline?: number };
type Agent = Client & {
  ProcessConversation(request: object, metadata: Metadata, options: CallOptions): Stream;
};

export type DesignerClient = {
  /** One request, whole; rejects with gRPC's own error. */
  call(request: object, options?: CallOptions): Promise<WireResponse[]>;
  open(request: object, options?: CallOptions): Stream;
  /** These bytes as the request; the bytes of each response. Rejects with gRPC's own error. */
  send(bytes: Buffer): Promise<Buffer[]>;
  client: Agent;
  close(): void;
};

const METHOD = "/workflow_agent.WorkflowAgent/ProcessConversation";
const asItIs = (bytes: Buffer): Buffer => bytes;

/** A plain gRPC client: nothing of it is the designer's but the file. `token`: null brings none. */
export const designerClient = (address: string, token: string | null = CLIENT_TOKEN): DesignerClient => {
  const definition = loadSync(proto, {
    keepCase: true,
    longs: Number,
    enums: String,
    defaults: true,
    oneofs: true,
  });
  const { workflow_agent } = loadPackageDefinition(definition) as unknown as {
    workflow_agent: { WorkflowAgent: new (address: string, channel: object, options: object) => Agent };
  };
  const client = new workflow_agent.WorkflowAgent(address, credentials.createInsecure(), {
    "grpc.max_send_message_length": -1,
  });
  const metadata = new Metadata();
  if (token !== null) metadata.set("authorization", `Bearer ${token}`);
  const open = (request: object, options: CallOptions = {}): Stream =>
    client.ProcessConversation(request, metadata, options);
  return {
    client,
    open,
    call: (request, options) =>
      new Promise((resolve, reject) => {
        const responses: WireResponse[] = [];
        const stream = open(request, options);
        stream.on("data", (response: WireResponse) => responses.push(response));
        stream.on("error", (error: ServiceError) => reject(error));
        stream.on("end", () => resolve(responses));
      }),
    send: (bytes) => {
      const stream = client.makeServerStreamRequest(METHOD, asItIs, asItIs, bytes, metadata);
      return Array.fromAsync(stream as AsyncIterable<Buffer>);
    },
    close: () => client.close(),
  };
};
