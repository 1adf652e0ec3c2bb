import type { Started } from "../start-work.ts";
import { type Answer, told, underWay } from "./request.ts";

/** What people are told of work that they have asked for. */
export const answerTo = (started: Started): Answer => {
  switch (started.kind) {
    case "started":
      return { kind: "done", thread: started.thread };
    case "under-way":
      return told(underWay(started.thread));
    case "unwanted":
      return { kind: "done" };
  }
};
