import type { Hash, ThreadId } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import type { Payload, Usage } from "../store/payload.ts";
import type { History } from "../store/store.ts";

export type Published = NonNullable<Payload<"step">["published"]>;

export type Publication = {
  thread: ThreadId;
  history: History;
  /** The step that publishes: it is appended when this is done. */
  step: { role: string; agent: Hash; turns: Hash | null; usage: Usage };
  /** Its validated output. */
  output: Json;
  /** The `workspace` node to publish. */
  workspace: Hash;
  signal: AbortSignal;
  /**
   * To be awaited right before each write that others see. Throws when the thread is another run's by now, for example
   * because this process stood still.
   */
  confirm(): Promise<void>;
};

/** Publishes a role's output: the branch, and the pull request where there is a forge. Idempotent by thread. */
export interface Publisher {
  publish(publication: Publication): Promise<Published>;
}
