import type { ConversationResponse, ErrorContent } from "./messages.ts";

/** The only response to a request that is not taken up: there is no state to give back. */
export const refusal = (
  error: Pick<ErrorContent, "error_code" | "message" | "details">,
  { session_id, timestamp }: { session_id: string; timestamp: number },
): ConversationResponse => ({
  type: "error",
  session_id,
  error: { ...error, is_recoverable: true },
  updated_state: null,
  timestamp,
  is_final: true,
});
