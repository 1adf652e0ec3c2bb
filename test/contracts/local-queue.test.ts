import { silentLog } from "../../src/base/log.ts";
import { localQueue } from "../../src/queue/local-queue.ts";
import { temporaryStore } from "../fixtures/temporary-store.ts";
import { queueContract } from "./queue.contract.ts";

queueContract("localQueue", async () => {
  const { store, path, dispose } = temporaryStore();
  return {
    store,
    open: (limits) => localQueue({ store, limits, log: silentLog }),
    workerArguments: [path, "local"],
    dispose,
  };
});
