import type { Hash } from "../../base/ids.ts";
import type { Node } from "../../store/node.ts";
import type { Store } from "../../store/store.ts";
import type { AdapterFn } from "../adapter.ts";
import { outputJudge } from "../judge-output.ts";
import { invalidOutput, type Play } from "./meta-agent.ts";
import { readStep } from "./read-step.ts";

export type StepSession = {
  /** What the program's step has to be. */
  place(): { start: Hash; prev: Hash | null; agent: Hash };
  wrote(step: Node<"step">): void;
};

export type StepAgentParts = {
  play: Play;
  /** The agent, for people. */
  name: string;
  session: StepSession;
  store: Pick<Store, "get" | "load" | "turns">;
};

/**
 * A program that stores its step itself and says its hash: `<command> <args…> <thread> <role>`. The step is looked at before the
 * thread's head may move to it. Rejects with `role-step-invalid` and `role-output-invalid` (fix-input), and as `play`.
 */
export const stepAgent =
  ({ play, name, session, store }: StepAgentParts): AdapterFn =>
  (_, schema) => {
    const judge = outputJudge(schema);
    return async (context) => {
      const text = await play(context, [context.threadId, context.role]);
      const wanted = { ...session.place(), role: context.role };
      const step = await readStep(store, text, { ...wanted, name });
      const { value } = await store.load("output", step.payload.output);
      const output = judge(value);
      if (!output.ok) throw invalidOutput(output.problems, { name, role: context.role });
      session.wrote(step);
      return output.value;
    };
  };
