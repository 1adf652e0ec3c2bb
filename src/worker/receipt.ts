import type { Receipt } from "../forge/text/pull-request-body.ts";
import { addUsage, zeroUsage } from "../llm/usage.ts";
import { agentLabel } from "../store/agent-payload.ts";
import type { Payload } from "../store/payload.ts";
import type { Store } from "../store/store.ts";
import type { PartialWork, PublishedWork } from "../thread/publisher.ts";
import { setupIn } from "../thread/setup-text.ts";
import { playedSteps } from "./played-steps.ts";

/** What the thread did up to its publication, read from its record. */
export const receiptOf = async (
  store: Store,
  { thread, history, step, workspace }: Omit<PublishedWork, "signal" | "confirm"> & Pick<PartialWork, "step">,
  now: number,
): Promise<Receipt> => {
  const { start } = history;
  const steps = [...history.steps.map((past) => past.step), ...(step === null ? [] : [step])];
  const workflow = await store.load("workflow", start.workflow);
  const played = await playedSteps(store, { workflow, steps });
  const agents = await store.loadAll(
    "agent",
    played.map(({ agent }) => agent),
  );
  const turns = await Promise.all(played.map((each) => (each.turns === null ? [] : store.turns(each.turns))));
  const { base } = await store.load("workspace", workspace);
  return {
    thread,
    workflow: { name: workflow.name, hash: start.workflow },
    roles: played.flatMap(({ role, workflow: { roles } }, index) => {
      const prompt = roles[role];
      const agent = agents[index];
      // A workflow has no prompt: its roles do.
      return prompt === undefined || agent === undefined || agent.adapter === "workflow"
        ? []
        : [{ role, model: agentLabel(agent), prompt }];
    }),
    commands: turns.flatMap(commandsOf),
    setup: setupOf(turns.flat()),
    // What the steps that a fork shares have cost is not its own.
    usage: steps.slice(history.shared).reduce((sum, each) => addUsage(sum, each.usage), zeroUsage()),
    ms: now - start.createdAt,
    base,
  };
};

/** A workspace that was made again was set up again: the last result of each command counts. */
const setupOf = (turns: readonly Payload<"turn">[]): { command: string; ok: boolean }[] => {
  const results = turns.flatMap((turn) => (turn.kind === "message" ? setupIn(turn.text) : []));
  return [...new Map(results.map(({ command, ok }) => [command, ok]))].map(([command, ok]) => ({
    command,
    ok,
  }));
};

const commandsOf = (turns: readonly Payload<"turn">[]): Receipt["commands"][number][] => {
  const asked = new Map(
    turns.flatMap((turn) =>
      turn.kind === "reply" ? turn.toolCalls.map((call) => [call.id, call.arguments] as const) : [],
    ),
  );
  return turns.flatMap((turn) => {
    if (turn.kind !== "tool" || turn.name !== "shell_exec") return [];
    return [{ command: commandOf(asked.get(turn.callId) ?? ""), ok: turn.ok, ms: turn.ms }];
  });
};

/** The command line in a call's arguments; the arguments themselves when a model wrote them some other way. */
const commandOf = (args: string): string => {
  try {
    const { command } = JSON.parse(args) as { command?: unknown };
    return typeof command === "string" ? command : args;
  } catch {
    return args;
  }
};
