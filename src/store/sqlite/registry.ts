import type { Hash } from "../../base/ids.ts";
import type { Store } from "../store.ts";
import type { Connection } from "./connection.ts";
import { idOf } from "./rows.ts";

const select = "SELECT workflow.name, node.hash FROM workflow JOIN node ON node.id = workflow.node";

type Entry = { name: string; hash: Hash };

export const registryStore = (
  connection: Connection,
): Pick<Store, "workflowHash" | "registerWorkflow" | "workflows"> => ({
  workflowHash: (name) => connection.read((sql) => sql.one<Entry>(`${select} WHERE name = ?`, name)?.hash),
  registerWorkflow: (name, hash) =>
    connection.write((sql) => {
      const upsert =
        "INSERT INTO workflow (name, node) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET node = excluded.node";
      sql.run(upsert, name, idOf(sql, hash));
    }),
  workflows: () => connection.read((sql) => sql.all<Entry>(`${select} ORDER BY name`)),
});
