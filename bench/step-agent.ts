import { fileURLToPath } from "node:url";
import { commandBench } from "../test/fixtures/command-bench.ts";
import { lifetime } from "./lifetime.ts";
import { alternate, atMost, ms, type Row, timed, times } from "./measurement.ts";

const program = fileURLToPath(new URL("step-agent-program.ts", import.meta.url));
const ROUNDS = 25;

/** A thread whose one role a program plays, from its start to its end, beside the same program that only starts and ends. */
export const stepAgent = async (): Promise<Row[]> => {
  const bench = await commandBench();
  const play = async (): Promise<void> => {
    const thread = await bench.startWith({ command: process.execPath, args: [program], protocol: "step" });
    const { status, reason } = await bench.run(thread);
    if (status !== "completed") throw new Error(`the thread is ${status}: ${reason}`);
  };
  try {
    const { plays, starts } = await alternate(
      { plays: () => timed(play), starts: () => lifetime([program], process.env) },
      { rounds: ROUNDS, warmUp: 3 },
    );
    const ratio = plays / starts;
    return [
      {
        measured: "A role that a `step` agent plays, answering at once",
        uwf: ms(plays),
        beside: `the program's own start ${ms(starts)}`,
        result: times(ratio),
        goal: atMost(ratio, 1.5, "1.5×"),
      },
    ];
  } finally {
    await bench.dispose();
  }
};
