import type { AdapterFn } from "../agents/adapter.ts";
import type { ModelCall } from "../agents/model-call.ts";
import type { Hash } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { Node } from "../store/node.ts";
import type { Payload } from "../store/payload.ts";
import type { Store } from "../store/store.ts";
import type { StoredNodes } from "../tools/stored-nodes.ts";
import type { Role } from "../workflow/workflow.ts";
import type { Workspace, Workspaces } from "../workspace/workspace.ts";
import type { EmitEvent, ThreadEvent } from "./events.ts";
import type { Limit } from "./limits.ts";
import type { Publisher } from "./publisher.ts";

/** What an agent is given besides the thread's context. */
export type AgentSession = {
  role: Role;
  /** The thread's workspace, opened when it is first asked for. */
  workspace(): Promise<Workspace>;
  /** Throws when the thread was paused or the worker drains: called before each model call. */
  checkpoint(): void;
  emit(event: AgentEvent): void;
  /** What the step has to be that an agent writes itself. */
  place(): StepPlace;
  /** Takes the step that the agent wrote itself: the thread's head moves to it, or to the same step with what the engine adds. */
  wrote(step: Node<"step">): void;
  /** Takes the limit that the agent says it has come to: the thread pauses then. */
  stoppedAt(limit: Limit): void;
  /** Nodes that the agent has made, or has read: stored now, and named in the step's `refs`. */
  keep(nodes: readonly Node[]): Promise<void>;
  /** The nodes that the thread reaches, and no others. */
  nodes: StoredNodes;
};

/** Where the step under way is appended, and whose it is. */
export type StepPlace = { start: Hash; prev: Hash | null; agent: Hash };

type WithoutPlace<E> = E extends unknown ? Omit<E, "thread" | "at" | "role" | "within"> : never;
/** What agents report; the thread adds where and when. */
export type AgentEvent = WithoutPlace<
  Extract<
    ThreadEvent,
    {
      kind:
        | "model-text"
        | "model-waiting"
        | "model-called"
        | "model-replied"
        | "tool-started"
        | "tool-output"
        | "tool-finished";
    }
  >
>;

/** The parts that threads are run with; `app.ts` chooses them. */
export type Engine = {
  store: Store;
  workspaces: Workspaces;
  publisher: Publisher;
  /**
   * When files are captured. `each-turn`: after every tool call that may have written, so that another machine loses no
   * finished call; `each-step` is enough where one machine has them all.
   */
  captures: "each-step" | "each-turn";
  /** The code that plays a bound agent. */
  adapterOf(agent: Payload<"agent">, session: AgentSession): AdapterFn;
  /** A few lines for a person about where the thread stands; one model call without tools. */
  summarize(request: {
    agent: Payload<"agent">;
    input: string;
    steps: readonly { role: string; output: unknown }[];
    signal: AbortSignal;
    observe(call: ModelCall): void;
  }): Promise<string>;
  emit: EmitEvent;
  log: Log;
  now(): number;
  /** This process, as lease holder. */
  holder: string;
  /** How deep workflows that play roles may lie in each other. */
  maxDepth: number;
};
