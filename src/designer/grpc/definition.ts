import { fileURLToPath } from "node:url";
import type { ServiceDefinition } from "@grpc/grpc-js";
import { type Flaw, flawOf } from "./flaw.ts";
import { shapeOf } from "./shape.ts";

/** The file that others make their clients from. */
const protoPath = fileURLToPath(new URL("../workflow_agent.proto", import.meta.url));

/** Names as in the file, numbers as numbers, enums by name, and what was not sent by its default. */
const loadOptions = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true };

const PACKAGE = "workflow_agent";

/** A request as it came: looked through first, and decoded only where it has no flaw. */
export type Received = { flaw: Flaw } | { flaw: null; message: unknown };

/** The service as the file defines it, with requests as `Received`. */
export const serviceDefinition = async (): Promise<ServiceDefinition> => {
  const { loadSync } = await import("@grpc/proto-loader");
  const loaded = loadSync(protoPath, loadOptions);
  const service = loaded[`${PACKAGE}.WorkflowAgent`] as ServiceDefinition;
  const method = service.ProcessConversation as ServiceDefinition[string];
  const shape = shapeOf(loaded, PACKAGE)("ConversationRequest");
  return {
    ProcessConversation: {
      ...method,
      requestDeserialize: (bytes): Received => {
        const flaw = flawOf(bytes, shape);
        return flaw === null ? { flaw, message: method.requestDeserialize(bytes) } : { flaw };
      },
    },
  };
};
