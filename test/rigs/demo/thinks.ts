import { type calls, says } from "../../../src/llm/scripted-model.ts";
import type { RoleStep } from "../model-script.ts";

/** A reply that says why it makes its calls. */
export const thinks = (thought: string, reply: ReturnType<typeof calls>): RoleStep => ({
  ...says(thought),
  ...reply,
});
