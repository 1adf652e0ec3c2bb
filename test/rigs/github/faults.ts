import { json, type RigRequest, type RigResponse } from "./http.ts";

/** A request that goes wrong: the first `times` that match are answered so. */
export type Fault = {
  method: string;
  /** Matched against the path without `/api/v3`. */
  path: RegExp;
  /** A status to answer, or the connection is cut. */
  answer: { status: number; headers?: Record<string, string>; message?: string } | "cut";
  times?: number;
};

export type Faults = {
  add(fault: Fault): void;
  of(request: RigRequest): RigResponse | "cut" | null;
};

export const faults = (): Faults => {
  const waiting: (Fault & { left: number })[] = [];
  return {
    add: (fault) => {
      waiting.push({ ...fault, left: fault.times ?? 1 });
    },
    of: ({ method, path }) => {
      const fault = waiting.find((each) => each.left > 0 && each.method === method && each.path.test(path));
      if (fault === undefined) return null;
      fault.left--;
      if (fault.answer === "cut") return "cut";
      const { status, headers = {}, message = `fault ${status}` } = fault.answer;
      const answer = json(status, { message });
      return { ...answer, headers: { ...answer.headers, ...headers } };
    },
  };
};
