import { makeNode, type Node } from "../../../src/store/node.ts";
import type { Store } from "../../../src/store/store.ts";
import { type ThreadFixture, threadFixture, threadRecord } from "../../fixtures/nodes.ts";

type ContractStore = {
  store: Store;
  /** Another connection to the same data, as another process would have. */
  another(): Promise<Store>;
  dispose(): Promise<void>;
};

export type MakeContractStore = (options: { now: () => number }) => Promise<ContractStore>;

/** The store under test and the clock that it reads. */
export type Rig = ContractStore & { clock: { now: number } };

export const text = (content: string): Node<"text"> => makeNode("text", { encoding: "utf8", text: content });

export const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

export const created = async (store: Store, fixture: ThreadFixture = threadFixture()) => {
  const record = threadRecord(fixture);
  await store.createThread(record, fixture.nodes);
  return { fixture, record };
};
