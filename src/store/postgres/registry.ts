import type { Hash } from "../../base/ids.ts";
import { nodeMissing } from "../read-node.ts";
import type { Store } from "../store.ts";
import type { Connection } from "./connection.ts";

const statements = {
  hash: { name: "workflow", text: "SELECT node AS hash FROM uwf.workflow WHERE name = $1" },
  register: {
    name: "register workflow",
    text: "SELECT uwf.register_workflow($1, $2, $3)",
  },
  all: { name: "workflows", text: "SELECT name, node AS hash FROM uwf.workflow ORDER BY name" },
};

type Entry = { name: string; hash: Hash };

export const registryStore = (
  connection: Connection,
  time: () => number | null,
): Pick<Store, "workflowHash" | "registerWorkflow" | "workflows"> => ({
  workflowHash: async (name) => {
    const [row] = await connection.query<Pick<Entry, "hash">>(statements.hash, [name]);
    return row?.hash;
  },
  registerWorkflow: async (name, hash) => {
    const rows = await connection.query(statements.register, [name, hash, time()]);
    if (rows.length === 0) throw nodeMissing(hash);
  },
  workflows: () => connection.query<Entry>(statements.all),
});
