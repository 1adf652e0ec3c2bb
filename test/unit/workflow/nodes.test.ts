import { expect, it } from "vitest";
import type { Node } from "../../../src/store/node.ts";
import type { Store } from "../../../src/store/store.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { loadStoredWorkflow, workflowNodes } from "../../../src/workflow/nodes.ts";
import { twoRoles } from "./workflow-files.ts";

const file = twoRoles([
  "{ from: $START, to: a }",
  "{ from: a, to: b, prompt: '{{ text }}' }",
  "{ from: b, to: $END }",
]);

const storeOf = (nodes: Node[]): Pick<Store, "load" | "loadAll"> => {
  const load = (async (type: string, hash: string) => {
    const node = nodes.find((one) => one.hash === hash && one.type === type);
    if (!node) throw new Error(`no ${type} ${hash}`);
    return node.payload;
  }) as unknown as Store["load"];
  return { load, loadAll: (type, hashes) => Promise.all(hashes.map((hash) => load(type, hash))) };
};

it("stores a workflow as nodes and reads the same one back", async () => {
  const workflow = await loadWorkflow(file, { file: "w.yaml" });

  const { workflow: node, nodes } = workflowNodes(workflow);
  const loaded = await loadStoredWorkflow(storeOf(nodes), node.hash);

  expect(loaded).toEqual(workflow);
  expect(nodes.at(-1)).toBe(node);
});

it("keeps an approval with the role, and gives roles without one the hash that they always had", async () => {
  const plain = await loadWorkflow(file, { file: "w.yaml" });
  const approving = await loadWorkflow(file.replace("a: {", "a: { approval: required,"), { file: "w.yaml" });
  const { workflow: node, nodes } = workflowNodes(approving);

  const loaded = await loadStoredWorkflow(storeOf(nodes), node.hash);

  const roleNodes = workflowNodes(plain).nodes.filter(({ type }) => type === "role");
  expect(loaded.roles.a?.approval).toBe("required");
  expect(loaded).toEqual(approving);
  for (const { payload } of roleNodes) expect(payload).not.toHaveProperty("approval");
});

it("puts what is referenced before what refers to it, and equal schemas into one node", async () => {
  const { nodes } = workflowNodes(await loadWorkflow(file, { file: "w.yaml" }));

  const before = new Set<string>();
  for (const { hash, refs } of nodes) {
    for (const ref of refs) expect(before).toContain(ref);
    before.add(hash);
  }
  expect(nodes.filter(({ type }) => type === "role-schema").map(({ hash }) => hash)).toHaveLength(1);
});
