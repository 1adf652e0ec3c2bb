import type { Hash } from "../base/ids.ts";
import type { JsonSchema } from "../base/json.ts";
import { makeNode, type Node } from "../store/node.ts";
import type { Store } from "../store/store.ts";
import type { Role, Workflow } from "./workflow.ts";

/** A workflow's own node, and all nodes that it needs, each once, referenced before referencing, itself last. */
export const workflowNodes = (workflow: Workflow): { workflow: Node<"workflow">; nodes: Node[] } => {
  const nodes = new Map<Hash, Node>();
  const roles: Record<string, Hash> = {};
  for (const [name, { schema, ...role }] of Object.entries(workflow.roles)) {
    const schemaNode = makeNode("role-schema", schema);
    const roleNode = makeNode("role", {
      ...role,
      tools: role.tools === null ? null : [...role.tools],
      schema: schemaNode.hash,
    });
    roles[name] = roleNode.hash;
    nodes.set(schemaNode.hash, schemaNode).set(roleNode.hash, roleNode);
  }
  const { name, description, moderator } = workflow;
  const node = makeNode("workflow", { name, description, roles, moderator: [...moderator] });
  return { workflow: node, nodes: [...nodes.values(), node] };
};

/** The workflow of a `workflow` node. Throws as `Store.load`. */
export const loadStoredWorkflow = async (
  store: Pick<Store, "load" | "loadAll">,
  hash: Hash,
): Promise<Workflow> => {
  const { name, description, roles, moderator } = await store.load("workflow", hash);
  const stored = await store.loadAll("role", Object.values(roles));
  const schemas = await store.loadAll(
    "role-schema",
    stored.map(({ schema }) => schema),
  );
  const loaded: Record<string, Role> = {};
  for (const [index, role] of Object.keys(roles).entries()) {
    const payload = stored[index];
    if (payload) loaded[role] = { ...payload, schema: (schemas[index] ?? {}) as JsonSchema };
  }
  return { name, description, roles: loaded, moderator };
};
