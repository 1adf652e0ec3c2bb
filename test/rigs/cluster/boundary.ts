import type { DataListener } from "../proxied-connections.ts";
import { type Machine, type ServiceName, serviceNames } from "./machine.ts";

/** A moment between a process and one of its servers: before its message gets there, or when the answer comes back. */
export type Boundary = {
  service: ServiceName;
  /** The message's name in `Watched`. */
  message: string;
  /** 1 for the first such message about one subject: a thread, a job, or else whatever the process says. */
  nth: number;
  when: "before" | "after";
};

/** Messages, by server and name: a pattern that one read brings whole. */
export type Watched = Readonly<Partial<Record<ServiceName, Readonly<Record<string, RegExp>>>>>;

/** Every message that changes something, or costs something. */
export const telling: Watched = {
  // The statements' names, as they stand where one is run.
  postgres: Object.fromEntries(
    ["advance", "create thread", "set link", "lease", "release", "finish delivery"].map((name) => [
      name,
      new RegExp(`\\0${name}\\0`),
    ]),
  ),
  github: {
    token: /^POST \S+\/access_tokens /,
    comment: /^POST \S+\/issues\/\d+\/comments /,
    edit: /^PATCH \S+\/issues\/comments\/\d+ /,
    reaction: /^POST \S+\/reactions /,
    "pull request": /^POST \S+\/pulls /,
    reviewers: /^POST \S+\/requested_reviewers /,
    fetch: /^POST \S+\/git-upload-pack /,
    push: /^POST \S+\/git-receive-pack /,
  },
  model: { call: /\bjob \d+/ },
};

/** Counts messages over all processes: a thread that moved is the same subject. */
export type Counter = Map<string, number>;

/** Called at each boundary. After `lost` the message, or the answer, does not arrive. */
export type Reached = (boundary: Boundary) => Promise<"lost" | "passed">;

export const boundaryName = ({ service, message, nth, when }: Boundary): string =>
  `${when} ${service}'s ${message} ${nth}`;

/** Watches a process cross its boundaries; answers what ends that. */
export const watchBoundaries = (
  machine: Machine,
  { watched, counter, reached }: { watched: Watched; counter: Counter; reached: Reached },
): (() => void) => {
  const removers = serviceNames.map((service) => {
    const messages = Object.entries(watched[service] ?? {});
    const count = countingFor(machine, { service, counter });
    return machine.ways[service].onData(listener({ service, messages, count, reached }));
  });
  return () => {
    for (const remove of removers) remove();
  };
};

type Count = (message: string, text: string) => number;

type Listening = {
  service: ServiceName;
  messages: readonly (readonly [string, RegExp])[];
  count: Count;
  reached: Reached;
};

const listener = ({ service, messages, count, reached }: Listening): DataListener => {
  /** By connection: what waits for its answer. */
  const asked = new Map<number, readonly Boundary[]>();
  const said = (chunk: Buffer): Boundary[] => {
    const text = chunk.toString("latin1");
    return messages
      .filter(([, pattern]) => pattern.test(text))
      .map(([message]) => ({ service, message, nth: count(message, text), when: "before" }));
  };
  return async (direction, chunk, connection) => {
    const isQuestion = direction === "to-server";
    const crossed = isQuestion ? said(chunk) : (asked.get(connection.id) ?? []);
    if (!isQuestion) asked.delete(connection.id);
    else if (crossed.length > 0) asked.set(connection.id, crossed);
    for (const boundary of crossed) {
      const outcome = await reached({ ...boundary, when: isQuestion ? "before" : "after" });
      if (outcome === "lost") connection.destroy();
    }
  };
};

const countingFor =
  (machine: Machine, { service, counter }: { service: ServiceName; counter: Counter }): Count =>
  (message, text) => {
    const key = `${service} ${message} ${subjectOf(text) ?? machine.pid}`;
    const nth = (counter.get(key) ?? 0) + 1;
    counter.set(key, nth);
    return nth;
  };

/** The thread's id, or the job that the model is asked about. */
const subjectOf = (text: string): string | undefined =>
  /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/.exec(text)?.[0] ?? /\bjob \d+/.exec(text)?.[0];
