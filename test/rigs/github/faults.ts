import { setTimeout as sleep } from "node:timers/promises";
import { type Handler, json, type RigRequest, type RigResponse } from "./http.ts";

/** A request that goes wrong: the first `times` that match are answered so. */
export type Fault = {
  /** Default: any. */
  method?: string;
  /** Matched against the path without `/api/v3`; GraphQL's is `/api/graphql`. */
  path: RegExp;
  /** Matched against the body too: which query, for example. */
  body?: RegExp;
  /** Asked about each request that matches otherwise: whether it is to go wrong. */
  when?(request: RigRequest): boolean;
  answer: FaultyAnswer;
  times?: number;
};

/**
 * A status; `cut`: the connection ends before anything is done; `lost`: it is done, and then the connection ends; a delay: it is
 * done after so many milliseconds; `until`: it is done when that has ended.
 */
export type FaultyAnswer =
  | { status: number; headers?: Record<string, string>; message?: string; body?: unknown }
  | { delayMs: number }
  | { until: Promise<unknown> }
  | "cut"
  | "lost";

export type Faults = {
  add(fault: Fault): void;
  /** Serves a request, wrong where a fault waits for it. */
  serve(request: RigRequest, handle: Handler): Promise<RigResponse | "cut">;
};

export const faults = (): Faults => {
  const waiting: (Fault & { left: number })[] = [];
  const next = (request: RigRequest): FaultyAnswer | null => {
    const fault = waiting.find((each) => each.left > 0 && matches(each, request));
    if (fault === undefined) return null;
    fault.left--;
    return fault.answer;
  };
  return {
    add: (fault) => {
      waiting.push({ ...fault, left: fault.times ?? 1 });
    },
    serve: async (request, handle) => {
      const answer = next(request);
      if (answer === null) return handle(request);
      if (answer === "cut") return "cut";
      if (answer === "lost") {
        await handle(request);
        return "cut";
      }
      if ("delayMs" in answer) {
        await sleep(answer.delayMs);
        return handle(request);
      }
      if ("until" in answer) {
        await answer.until;
        return handle(request);
      }
      const { status, headers = {}, message = `fault ${status}`, body = { message } } = answer;
      const plain = json(status, body);
      return { ...plain, headers: { ...plain.headers, ...headers } };
    },
  };
};

const matches = ({ method, path, body, when }: Fault, request: RigRequest): boolean =>
  (method === undefined || method === request.method) &&
  path.test(request.path) &&
  (body === undefined || body.test(request.body.toString("utf8"))) &&
  (when === undefined || when(request));
