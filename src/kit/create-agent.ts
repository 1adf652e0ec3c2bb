import { agentPrompt } from "../agents/text/agent-prompt.ts";
import { readFrontmatter } from "../agents/text/frontmatter.ts";
import { inputError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import { addUsage, zeroUsage } from "../llm/usage.ts";
import type { Usage } from "../store/payload.ts";
import type { Store } from "../store/store.ts";
import { type AgentContext, readAgentContext } from "../thread/agent-context.ts";
import { workspaceDirectory } from "../thread/workspace-directory.ts";
import { outputSchema } from "../workflow/schema.ts";
import { type AgentStore, agentStore } from "./agent-nodes.ts";
import { type AgentWorld, agentProgram, type Called, processWorld } from "./agent-program.ts";
import { storeStep } from "./store-step.ts";
import { tellEngine } from "./tell-engine.ts";
import { turnJournal } from "./turn-journal.ts";

/** What an agent is told, and the store that it may read nodes from and keep texts in. */
export type AgentRunContext = AgentContext & {
  /** All that the agent is told in one text, with how to answer. */
  prompt: string;
  /** Where the thread's files are on this machine. */
  workspace: string;
  store: AgentStore;
};

/** How a run of an agent ended. */
export type AgentRunResult = {
  /** What the agent answered: the output as YAML frontmatter, then whatever it has to say. */
  output: string;
  /** What `continue` is called with. */
  sessionId: string;
  /** A node that shows how the agent worked: the last of a chain of `turn` nodes, or any other. */
  detailHash?: Hash | null;
  /** What this run has used. */
  usage?: Usage;
};

/** An agent that answers text, and can be asked again in the session of an answer. */
export type AgentOptions = {
  /** The agent, where its turns are shown. */
  name: string;
  run(context: AgentRunContext): Promise<AgentRunResult>;
  /** Says more in the session of an answer that was no valid output. */
  continue(sessionId: string, message: string, store: AgentStore): Promise<AgentRunResult>;
};

/** How often an agent is told what is wrong with its answer. */
const MAX_CORRECTIONS = 2;

/**
 * The main of a program that plays roles, with the protocol `step`: it is called with a thread and a role, runs the agent, reads the
 * output from its frontmatter, has it corrected in the same session where it does not fit, stores the step and writes its hash to
 * the standard output. What fails is told on the standard error, and the process's exit code is 1 then.
 */
export const createAgent =
  (options: AgentOptions): (() => Promise<void>) =>
  () => {
    const world = processWorld();
    return agentProgram((called) => playStep(options, called, world), world);
  };

const playStep = async (
  options: AgentOptions,
  { thread, role, store, place }: Called,
  world: AgentWorld,
): Promise<Hash> => {
  const startedAt = Date.now();
  const about = await readAgentContext(store, { thread, role });
  const schema = outputSchema(about.outputSchema);
  const workspace =
    world.env.UWF_WORKSPACE ??
    (await workspaceDirectory(store, { thread, storageRoot: place.storageRoot })) ??
    process.cwd();
  const journal = turnJournal({ store, tell: tellEngine(world) });
  const nodes = agentStore(store);
  const answered = async (told: string, run: () => Promise<AgentRunResult>): Promise<AgentRunResult> => {
    await journal.append({ kind: "message", text: told.toWellFormed(), at: Date.now() });
    const began = performance.now();
    const result = await run();
    const ms = Math.round(performance.now() - began);
    const content = result.output.toWellFormed();
    const shown = { model: options.name, content, reasoning: null, toolCalls: [], finish: "stop" as const };
    await journal.append({ kind: "reply", ...shown, usage: result.usage ?? zeroUsage(), at: Date.now(), ms });
    return result;
  };

  const prompt = promptOf(about, schema);
  let result = await answered(prompt, () => options.run({ ...about, prompt, workspace, store: nodes }));
  let usage = result.usage ?? zeroUsage();
  let read = await readFrontmatter(result.output, schema);
  for (let round = 0; round < MAX_CORRECTIONS && !read.ok; round++) {
    const message = correction(read.problems);
    const { sessionId } = result;
    result = await answered(message, () => options.continue(sessionId, message, nodes));
    usage = addUsage(usage, result.usage ?? zeroUsage());
    read = await readFrontmatter(result.output, schema);
  }
  if (!read.ok)
    throw inputError(
      "role-output-invalid",
      `${options.name} answered without a valid output, ${MAX_CORRECTIONS} corrections included: ${read.problems.replaceAll("\n", "; ")}`,
    );
  const detail = await detailOf(store, result.detailHash ?? null);
  return storeStep(store, about, {
    output: read.value as Json,
    turns: detail.turns ?? journal.tip(),
    refs: detail.refs,
    usage,
    startedAt,
    finishedAt: Date.now(),
  });
};

const promptOf = (about: AgentContext, schema: ReturnType<typeof outputSchema>): string => {
  const task = [about.task, ...about.notes].join("\n\n");
  const start = { input: about.input, source: about.source, parentThread: null };
  return agentPrompt({ task, start, steps: about.steps }, { prompt: about.systemPrompt, schema });
};

const correction = (problems: string): string =>
  [
    "Your answer did not give a valid output:",
    problems.replace(/^/gm, "- "),
    "Answer again, with nothing before the YAML frontmatter: a block of fields between two lines of `---`.",
  ].join("\n");

/** A chain of turns is the step's own; any other node is one that it refers to. */
const detailOf = async (
  store: Pick<Store, "get">,
  hash: Hash | null,
): Promise<{ turns: Hash | null; refs: Hash[] }> => {
  const node = hash === null ? undefined : await store.get(hash);
  if (hash !== null && node === undefined)
    throw inputError("node-missing", `the agent's detailHash ${hash} is not in the store`);
  if (node === undefined) return { turns: null, refs: [] };
  return node.type === "turn" ? { turns: node.hash, refs: [] } : { turns: null, refs: [node.hash] };
};
