import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startThread } from "./start-thread.ts";

/** It is kept so long for the next question: to start one takes longer than most answers. */
const IDLE_MS = 10_000;

/**
 * Asks a thread that posts one message for each that it gets, one question after the other. It is started for the first, ended when
 * nothing more is asked, and keeps no process alive by itself.
 */
export const answeringThread = <Q, A>(file: URL): ((question: Q) => Promise<A>) => {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const start = (): Worker => {
    const started = startThread(file, null);
    // Nothing hears what is posted to a thread that is gone.
    started.once("exit", () => {
      if (thread === started) thread = undefined;
    });
    return started;
  };
  const end = (): void => {
    void thread?.terminate();
    thread = undefined;
  };
  const ask = async (question: Q): Promise<A> => {
    clearTimeout(idle);
    thread ??= start();
    // Its end may be heard of together with its answer.
    const asked = thread;
    asked.ref();
    try {
      asked.postMessage(question);
      const answer = (await nextMessage(asked)) as A;
      asked.unref();
      idle = setTimeout(end, IDLE_MS).unref();
      return answer;
    } catch (error) {
      end();
      throw error;
    }
  };
  return (question) => {
    const answer = last.then(() => ask(question));
    last = answer.catch(() => undefined);
    return answer;
  };
};

/** Throws what the thread has thrown, and when it ends without an answer. */
const nextMessage = async (thread: Worker): Promise<unknown> => {
  const over = new AbortController();
  const ended = once(thread, "exit", over).then(([code]) => {
    throw new Error(`A worker thread ended with code ${code} before it had answered.`);
  });
  try {
    const [message] = await Promise.race([once(thread, "message", over), ended]);
    return message;
  } finally {
    over.abort();
  }
};
