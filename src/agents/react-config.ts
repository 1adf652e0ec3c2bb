import type { Model, ToolDefinition } from "../llm/model.ts";
import type { Usage } from "../store/payload.ts";
import type { ToolAnswer } from "../tools/tool.ts";
import type { ModelCall } from "./model-call.ts";

/** What a tool handler may want to know about the call beside its arguments. */
export type ToolCallContext = {
  /** Unique within the step. */
  id: string;
  /** Fires on cancellation: stop at once and throw its reason. */
  signal: AbortSignal;
  /** Takes pieces of a command's output as they come, for those who watch. */
  onOutput: (piece: string) => void;
};

/** What happens in the loop, as it happens. */
export type LoopEvent =
  | ModelCall
  | { kind: "model-text"; piece: string }
  | { kind: "model-waiting"; reason: string; ms: number }
  | {
      kind: "model-replied";
      content: string;
      calls: readonly { id: string; name: string; arguments: string }[];
      usage: Usage;
      ms: number;
    }
  | { kind: "tool-started"; callId: string; name: string; arguments: string }
  | { kind: "tool-output"; callId: string; piece: string }
  | { kind: "tool-finished"; callId: string; name: string; ok: boolean; text: string; ms: number };

/** What the built-in loop works with. */
export type ReactAdapterConfig = {
  provider: Model;
  /** Those that the model may call, beside `resolve`. */
  tools: readonly ToolDefinition[];
  /** Runs a call; `args` is a JSON object. What it throws is told to the model, unless it is the cancellation. */
  toolHandler: (name: string, args: string, call: ToolCallContext) => Promise<string | ToolAnswer>;
  /** Replies that the model may give in one step; the last one may only hand in the output. */
  maxRounds: number;
  /** Which tools only read: their calls run side by side. Default: every tool writes. */
  effect?: (name: string) => "read" | "write";
  /** Called for each event, as it happens. */
  observe?: (event: LoopEvent) => void;
  /** Called before each model call; what it throws stops the role there, to go on from its journal later. */
  checkpoint?: () => void;
  /** Called after earlier turns went out of the model's sight: file contents count as unseen from now on. */
  onCompaction?: () => void;
  /** Milliseconds since the epoch. */
  now?: () => number;
};
