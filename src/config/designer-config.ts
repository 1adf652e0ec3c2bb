import { z } from "zod";

/** Characters that a person may say at once in a conversation. */
export const MAX_MESSAGE = 20_000;

/** How conversations that make workflows are served, and what one may take. */
export const DesignerConfig = z.strictObject({
  grpcPort: z
    .int()
    .min(0)
    .max(65_535)
    .nullable()
    .default(null)
    .describe(
      "The port of the gRPC service, in `uwf start`, for clients that bring UWF_API_TOKEN, which has to be set; 0 takes a free one, null: there is none.",
    ),
  grpcHost: z.string().min(1).default("127.0.0.1").describe("The address that it listens on, without TLS."),
  budgetUsd: z
    .number()
    .positive()
    .nullable()
    .default(2)
    .describe("US dollars that one conversation may spend; null: no limit. Counts models with a price."),
  budgetTokens: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe("Tokens, read and written, that one conversation may use; null: no limit."),
  timeoutSeconds: z
    .int()
    .min(5)
    .max(3_600)
    .default(300)
    .describe("How long the answer to one message may take, where the request asks for no other time."),
});
