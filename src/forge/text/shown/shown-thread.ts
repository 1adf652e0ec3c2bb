import { parentPort } from "node:worker_threads";
import { shownInTime } from "./shown-in-time.ts";

parentPort?.on("message", (text: string) => parentPort?.postMessage(shownInTime(text)));
