import type { Hash, ThreadId } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import type { Payload, Usage } from "../store/payload.ts";
import type { History } from "../store/store.ts";

export type Published = NonNullable<Payload<"step">["published"]>;

/** A step as far as it has come: it is appended when what it publishes is published. */
export type PublishingStep = { role: string; agent: Hash; turns: Hash | null; usage: Usage };

/** What is common to everything that a thread publishes. */
export type PublishedWork = {
  thread: ThreadId;
  history: History;
  /** The `workspace` node to publish. */
  workspace: Hash;
  signal: AbortSignal;
  /**
   * To be awaited right before each write that others see. Throws when the thread is another run's by now, for example
   * because this process stood still.
   */
  confirm(): Promise<void>;
};

export type Publication = PublishedWork & {
  /** What the role says that its output becomes. */
  kind: "pull-request" | "review";
  /** The step that publishes. */
  step: PublishingStep;
  /** Its validated output. */
  output: Json;
};

/** The files of a thread that stops before its end. */
export type PartialWork = PublishedWork & {
  /** The step that was under way; null between two. */
  step: PublishingStep | null;
  /** For people: what is done and what is left. */
  summary: string;
};

/** Publishes what threads have made. Idempotent by thread. */
export interface Publisher {
  /** A role's output: the branch and the pull request where there is a forge, or a review. */
  publish(publication: Publication): Promise<Published>;
  /** The branch and a draft pull request; null when there is nothing to show, or nowhere to show it. */
  publishPartial(work: PartialWork): Promise<Published | null>;
}
