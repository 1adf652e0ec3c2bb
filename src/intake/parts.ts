import type { ThreadId } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { RepositoryConfig } from "../config/repository-config.ts";
import type { Forge, ForgePlace, Forges } from "../forge/forge.ts";
import type { Queue } from "../queue/queue.ts";
import type { ThreadRecord } from "../store/store.ts";
import type { Engine } from "../thread/engine.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { Actors } from "./actors.ts";

/** What deliveries are handled with. */
export type IntakeParts = {
  engine: Engine;
  config: Config;
  forges: Forges;
  queue: Queue;
  log: Log;
  actors: Actors;
  findWorkflow(name: string, forge: Forge): Promise<Workflow>;
  /**
   * The repository's configuration. Throws `repository-config-invalid` (fix-input), whose message says what is wrong where,
   * and what the forge throws.
   */
  readConfig(forge: Forge, place: ForgePlace): Promise<RepositoryConfig>;
  /** Brings the thread's live comment up to date, soon. */
  refresh(thread: ThreadId): void;
};

/** A delivery that is being handled, in the repository that it is about. */
export type Asked = {
  /** The delivery's id. */
  id: string;
  receivedAt: number;
  signal: AbortSignal;
  place: ForgePlace;
  forge: Forge;
  settings: RepositoryConfig;
};

/** What handling a delivery led to: a thread that began or goes on, or nothing that a worker has to do. */
export type Outcome = ThreadRecord | undefined;
