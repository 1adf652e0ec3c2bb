import type { ThreadId } from "../base/ids.ts";
import type { Store } from "../store/store.ts";
import { isDirectory } from "../workspace/directories.ts";
import { layoutOf } from "../workspace/layout.ts";
import { rootOf } from "./tree.ts";

/** Where the thread's roles work on this machine; null when there is no directory of it here. */
export const workspaceDirectory = async (
  store: Pick<Store, "thread" | "load">,
  { thread, storageRoot }: { thread: ThreadId; storageRoot: string },
): Promise<string | null> => {
  const record = await store.thread(thread);
  if (record === undefined) return null;
  const root = await rootOf(store, thread, await store.load("thread-start", record.start));
  const { tree } = layoutOf(storageRoot, { id: "" }).thread(root);
  return (await isDirectory(tree)) ? tree : null;
};
