/** `none`: a step's answer replaces the last one. `growing`: all answers are kept where later steps can read them. */
export type Growth = "none" | "growing";

export type StepsOptions = { steps: number; history: Growth };

/** A store with its engine, opened before anything is measured, as in a process that serves for days. */
export type StepRunner = {
  /** Runs a new thread of so many steps, and answers the milliseconds from its start to its end. */
  run(options: StepsOptions): Promise<number>;
  close(): Promise<void>;
};

const words =
  "the failing test shows that durations below a second lose their sign when they are parsed".split(" ");

const textOf = (step: number): string => {
  let text = `step ${step}:`;
  for (let i = step; text.length < 2000; i = (i * 31 + 7) % 9973) text += ` ${words[i % words.length]} ${i}`;
  return text.slice(0, 2000);
};

const texts = Array.from({ length: 1001 }, (_, step) => textOf(step));

/** Two thousand characters of prose, another text for every step and the same in every run. */
export const stepText = (step: number): string => texts[step] ?? textOf(step);
