import { Worker } from "node:worker_threads";

/** A thread that runs a file of this program. It has none of this process's environment. */
export const startThread = (file: URL, workerData: unknown): Worker =>
  new Worker(file, { workerData, env: {}, execArgv: ["--disable-warning=ExperimentalWarning"] });
