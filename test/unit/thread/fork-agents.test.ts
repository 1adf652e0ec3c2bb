import { expect, it } from "vitest";
import type { Hash } from "../../../src/base/ids.ts";
import type { Agent } from "../../../src/store/agent-payload.ts";
import { makeNode, type Node } from "../../../src/store/node.ts";
import type { Payload } from "../../../src/store/payload.ts";
import { forkAgents } from "../../../src/thread/fork-agents.ts";

const ROLES = 60;

it("looks at each agent of workflows in workflows once, however many roles it plays", async () => {
  const nodes = new Map<Hash, Node>();
  const put = (agent: Agent): Hash => {
    const node = makeNode("agent", agent);
    nodes.set(node.hash, node);
    return node.hash;
  };
  const playedBy = (hash: Hash): Record<string, Hash> =>
    Object.fromEntries(Array.from({ length: ROLES }, (_, at) => [`r${at}`, hash]));
  const { hash: workflow } = makeNode("workflow", { name: "w", description: "", roles: {}, moderator: [] });
  const workflowOf = (hash: Hash): Hash =>
    put({ adapter: "workflow", name: "w", workflow, agents: playedBy(hash) });
  const loop = put({ adapter: "react", name: "builtin", model: "a", modelName: "model-a" });
  const pinned = playedBy(workflowOf(workflowOf(workflowOf(loop))));
  let loads = 0;
  const load = async (_: string, hash: Hash) => {
    loads++;
    return nodes.get(hash)?.payload as Payload<"agent">;
  };

  const bound = await forkAgents({ load } as Parameters<typeof forkAgents>[0], pinned, {
    model: { model: "b", modelName: "model-b" },
  });

  expect(loads).toBe(4);
  expect(bound.nodes.map(({ payload }) => (payload as Agent).adapter)).toEqual([
    "react",
    "workflow",
    "workflow",
    "workflow",
  ]);
  expect(new Set(Object.values(bound.agents))).toEqual(new Set([bound.nodes.at(-1)?.hash]));
});
