import { join } from "node:path";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { timed } from "./measurement.ts";
import { type StepRunner, type StepsOptions, stepText } from "./step-text.ts";

type Message = { role: "assistant"; content: string };

const State = Annotation.Root({
  step: Annotation<number>(),
  status: Annotation<"more" | "done">(),
  text: Annotation<string>(),
  messages: Annotation<Message[]>({ reducer: (old, added) => [...old, ...added], default: () => [] }),
});

/**
 * The same threads by LangGraph with its SQLite saver, all settings as they come. Its commits then may be lost with
 * the machine's power (`NORMAL`), ours never; `FULL` makes its writes as durable as ours.
 */
export const langgraphSteps = async (
  root: string,
  { synchronous }: { synchronous: "NORMAL" | "FULL" } = { synchronous: "NORMAL" },
): Promise<StepRunner> => {
  const saver = SqliteSaver.fromConnString(join(root, `langgraph-${synchronous}.db`));
  await saver.getTuple({ configurable: { thread_id: "none" } });
  saver.db.pragma(`synchronous = ${synchronous}`);
  let threads = 0;
  return {
    run: async (options) => {
      const config = {
        configurable: { thread_id: `bench-${++threads}` },
        recursionLimit: options.steps + 2,
      };
      return timed(async () => {
        const { step } = await graphOf(options, saver).invoke({ step: 0 }, config);
        if (step !== options.steps) throw new Error(`LangGraph took ${step} of ${options.steps} steps`);
      });
    },
    close: async () => {
      saver.db.close();
    },
  };
};

const graphOf = ({ steps, history }: StepsOptions, checkpointer: SqliteSaver) =>
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
