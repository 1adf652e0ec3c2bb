import type { Payload } from "../store/payload.ts";
import type { History, LinkKind, StepRecord, Store, ThreadRecord } from "../store/store.ts";
import { pinnedIn } from "../thread/pinned.ts";
import { childrenOf } from "../thread/tree.ts";
import type { Workflow } from "../workflow/workflow.ts";

/** What the store says of a thread, for whoever shows it. */
export type Situation = {
  record: ThreadRecord;
  history: History;
  workflow: Workflow;
  links: Partial<Record<LinkKind, string>>;
  /** Of the step that is under way, or that did not finish. */
  turns: readonly Payload<"turn">[];
  /** The threads that play, or have played, its roles. */
  children: readonly Situation[];
};

export const readSituation = async (store: Store, record: ThreadRecord): Promise<Situation> => {
  const [history, links] = await Promise.all([store.history(record.head), store.links(record.id)]);
  const workflow = await pinnedIn(store).workflow(history.start.workflow);
  const open = record.tip ?? history.end?.turns ?? null;
  const turns = open === null ? [] : await store.turns(open);
  return { record, history, workflow, links, turns, children: await childrenIn(store, record) };
};

const childrenIn = async (store: Store, { id }: ThreadRecord): Promise<Situation[]> => {
  const records = await Promise.all((await childrenOf(store, id)).map((child) => store.thread(child)));
  return Promise.all(
    records.flatMap((record) => (record === undefined ? [] : [readSituation(store, record)])),
  );
};

/** Whether a person has approved what the last step answered. */
export const isApproved = ({ history: { steps }, links }: Situation): boolean =>
  links.approved !== undefined && links.approved === steps.at(-1)?.hash;

/** The commit that the thread began with; null where it works on no repository. */
export const baseOf = async (
  store: Pick<Store, "load">,
  { history: { start } }: Situation,
): Promise<string | null> =>
  start.workspace === null ? null : (await store.load("workspace", start.workspace)).base;

/** The steps that are the thread's own: a fork shares those before. */
export const ownSteps = ({ history: { steps, shared } }: Situation): readonly StepRecord[] =>
  steps.slice(shared);

/** The commit that the thread pushed last; null before it has pushed any. */
export const pushedCommit = ({ links }: Situation): string | null => links.commit?.split("@").at(-1) ?? null;
