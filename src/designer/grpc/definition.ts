import { fileURLToPath } from "node:url";
import type { ServiceDefinition } from "@grpc/grpc-js";

/** The file that others make their clients from. */
const protoPath = fileURLToPath(new URL("../workflow_agent.proto", import.meta.url));

/** Names as in the file, numbers as numbers, enums by name, and what was not sent by its default. */
const loadOptions = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true };

const SERVICE = "workflow_agent.WorkflowAgent";

/** The service as the file defines it. A request comes with whether its texts were UTF-8. */
export const serviceDefinition = async (): Promise<ServiceDefinition> => {
  const { loadSync } = await import("@grpc/proto-loader");
  const service = loadSync(protoPath, loadOptions)[SERVICE] as ServiceDefinition;
  const method = service.ProcessConversation as ServiceDefinition[string];
  return {
    ProcessConversation: {
      ...method,
      requestDeserialize: (bytes) => {
        const message: unknown = method.requestDeserialize(bytes);
        return { message, isText: isText(bytes, message) } satisfies Received;
      },
    },
  };
};

export type Received = { message: unknown; isText: boolean };

const REPLACEMENT = "\uFFFD";
const replacementBytes = Buffer.from(REPLACEMENT);

/** What is not UTF-8 is read as a replacement character that nobody sent. */
const isText = (bytes: Buffer, message: unknown): boolean => {
  const read = JSON.stringify(message).split(REPLACEMENT).length - 1;
  if (read === 0) return true;
  let sent = 0;
  for (let at = bytes.indexOf(replacementBytes); at !== -1; at = bytes.indexOf(replacementBytes, at + 3))
    sent++;
  return read <= sent;
};
