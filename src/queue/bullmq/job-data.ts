import { z } from "zod";
import { isThreadId, type ThreadId } from "../../base/ids.ts";
import { type Job, jobKey } from "../queue.ts";

const JobData = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("thread"),
    thread: z.custom<ThreadId>((value) => typeof value === "string" && isThreadId(value)),
  }),
  z.object({ kind: z.literal("delivery"), id: z.string() }),
]);

/** What somebody put into Redis; undefined when it is no job. */
export const readJob = (data: unknown): Job | undefined => JobData.safeParse(data).data;

/** A job's key as BullMQ takes it: without a colon. */
export const bullJobId = (job: Job): string => bullKeyId(jobKey(job));

export const bullKeyId = (key: string): string => encodeURIComponent(key);
