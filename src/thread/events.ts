import type { ModelCall } from "../agents/model-call.ts";
import type { Hash, ThreadId } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import type { Payload, Usage } from "../store/payload.ts";
import type { ThreadStatus } from "../store/store.ts";

/** Everything that happens in a thread, as it happens; the comment, the log, the CLI, metrics and traces read this. */
export type ThreadEvent = { thread: ThreadId; at: number; within?: Within } & (
  | { kind: "status"; status: ThreadStatus; reason: string | null }
  | {
      kind: "step-started";
      role: string;
      index: number;
      task: string;
      /** What the step is appended to: with the thread's id, the name of this try at a step, on whatever worker. */
      head: Hash;
      /** Milliseconds since the epoch; before `at` when the step was begun by an earlier run. */
      startedAt: number;
      continued: boolean;
    }
  | { kind: "model-text"; role: string; piece: string }
  | { kind: "model-waiting"; role: string; reason: string; ms: number }
  /** Every call, failed ones and those for summaries included. What a turn of the step says is `model-replied`. */
  | ({ role: string } & ModelCall)
  | {
      kind: "model-replied";
      role: string;
      content: string;
      calls: readonly { id: string; name: string; arguments: string }[];
      usage: Usage;
      ms: number;
    }
  | { kind: "tool-started"; role: string; callId: string; name: string; arguments: string }
  | { kind: "tool-output"; role: string; callId: string; piece: string }
  | {
      kind: "tool-finished";
      role: string;
      callId: string;
      name: string;
      ok: boolean;
      text: string;
      ms: number;
    }
  | { kind: "step-finished"; role: string; index: number; hash: Hash; output: Json; usage: Usage; ms: number }
  | { kind: "published"; published: NonNullable<Payload<"step">["published"]> }
);

/** The topmost thread that something happens in, and the roles, from there down, that threads below it play. */
export type Within = { thread: ThreadId; roles: readonly string[] };

export type EmitEvent = (event: ThreadEvent) => void;
