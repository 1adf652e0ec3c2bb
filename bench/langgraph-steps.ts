import { Annotation, type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { timed } from "./measurement.ts";
import { type StepRunner, type StepsOptions, stepText } from "./step-text.ts";

type Message = { role: "assistant"; content: string };

const State = Annotation.Root({
  step: Annotation<number>(),
  status: Annotation<"more" | "done">(),
  text: Annotation<string>(),
  messages: Annotation<Message[]>({ reducer: (old, added) => [...old, ...added], default: () => [] }),
});

/** `async` is what comes with it: a step's checkpoint is written while the next step runs. */
export type Durability = "async" | "sync";

/** The same threads by LangGraph on one of its savers, with all settings as they come. */
export const langgraphSteps = (
  saver: BaseCheckpointSaver,
  { close, durability = "async" }: { close: () => Promise<void>; durability?: Durability },
): StepRunner => {
  let threads = 0;
  return {
    run: async (options) => {
      const config = {
        configurable: { thread_id: `${durability}-${++threads}` },
        recursionLimit: options.steps + 2,
        durability,
      };
      return timed(async () => {
        const { step } = await graphOf(options, saver).invoke({ step: 0 }, config);
        if (step !== options.steps) throw new Error(`LangGraph took ${step} of ${options.steps} steps`);
      });
    },
    close,
  };
};

const graphOf = ({ steps, history }: StepsOptions, checkpointer: BaseCheckpointSaver) =>
  new StateGraph(State)
    .addNode("worker", ({ step }) => {
      const text = stepText(step + 1);
      return {
        step: step + 1,
        status: step + 1 < steps ? ("more" as const) : ("done" as const),
        ...(history === "growing" ? { messages: [{ role: "assistant" as const, content: text }] } : { text }),
      };
    })
    .addEdge(START, "worker")
    .addConditionalEdges("worker", ({ status }) => (status === "done" ? END : "worker"))
    .compile({ checkpointer });
