import { z } from "zod";
import { ref } from "./ref.ts";

const asked = {
  name: z.string(),
  /** The model's alias, and its provider's name for it. */
  model: z.string(),
  modelName: z.string(),
};

/** A server of the Model Context Protocol whose tools a role has. */
export const McpServer = z.strictObject({
  name: z.string(),
  /** A program that speaks over its standard streams, run in the thread's sandbox; null: `url` is asked. */
  command: z.string().nullable(),
  args: z.array(z.string()),
  /** Variables of the engine's environment that it gets, by name. */
  env: z.array(z.string()),
  url: z.string().nullable(),
  /** The variable of the engine's environment whose value `url` gets as a bearer token. Absent: none. */
  apiKeyEnv: z.string().optional(),
  /** Of its tools only these; null: all. */
  tools: z.array(z.string()).nullable(),
  timeoutSeconds: z.number().positive(),
});
export type McpServer = z.infer<typeof McpServer>;

export const presets = ["claude", "codex", "gemini", "opencode", "cursor-agent", "hermes"] as const;

export const Agent = z.discriminatedUnion("adapter", [
  /** The built-in loop of model and tools. */
  z.strictObject({
    adapter: z.literal("react"),
    ...asked,
    /** Absent: none. */
    mcp: z.array(McpServer).optional(),
  }),
  /** One reply of a model, without tools. */
  z.strictObject({ adapter: z.literal("llm"), ...asked }),
  /** The designer: it talks with a person, a step for each turn, until there is a workflow. */
  z.strictObject({ adapter: z.literal("designer"), ...asked }),
  /** A program. */
  z.strictObject({
    adapter: z.literal("command"),
    name: z.string(),
    command: z.string(),
    args: z.array(z.string()),
    /** Variables of the engine's environment that it gets besides the usual ones, by name. */
    env: z.array(z.string()),
    timeoutSeconds: z.number().positive(),
    protocol: z.enum(["meta", "step", "text"]),
    preset: z.enum(presets).nullable(),
    /** `thread`: in the thread's sandbox; `none`: as the engine's user. */
    sandbox: z.enum(["thread", "none"]),
    /** Hosts and presets that it reaches in the sandbox beside those of its preset. Absent: none. */
    network: z.array(z.string()).optional(),
    /** The model that finds the output in its text; null: none is configured. Null but for `text`. */
    extract: z.strictObject({ model: z.string(), modelName: z.string() }).nullable(),
  }),
  /** Another workflow, as a thread of its own. */
  z.strictObject({
    adapter: z.literal("workflow"),
    name: z.string(),
    /** Null where workflows would lie too deep in each other: the role fails then. */
    workflow: ref().nullable(),
    /** Who plays its roles. */
    agents: z.record(z.string(), ref()),
  }),
]);
export type Agent = z.infer<typeof Agent>;

/** What an agent is to people in a few words: its model, or the program or workflow that plays. */
export const agentLabel = (agent: Agent): string => {
  switch (agent.adapter) {
    case "react":
    case "llm":
    case "designer":
      return agent.modelName;
    case "command":
      return agent.name;
    case "workflow":
      return `workflow ${agent.name}`;
  }
};
