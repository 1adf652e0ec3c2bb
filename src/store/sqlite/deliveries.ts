import type { Delivery, KeptDelivery, Store } from "../store.ts";
import type { Connection } from "./connection.ts";

const columns = "id, forge, event, body, received_at AS receivedAt, finished_at AS finishedAt";

/** Bodies may be large. */
const PAGE = 20;

/** Installations are found by skipping along the index: a long line costs no more than what is taken of it. */
const pending = `
  WITH RECURSIVE line (installation) AS (
    SELECT MIN(installation) FROM delivery INDEXED BY delivery_line WHERE finished_at IS NULL
    UNION ALL
    SELECT (
      SELECT MIN(installation) FROM delivery INDEXED BY delivery_line
      WHERE finished_at IS NULL AND installation > line.installation
    ) FROM line WHERE line.installation IS NOT NULL
  )
  SELECT id, delivery.installation FROM line JOIN delivery ON delivery.rowid IN (
    SELECT rowid FROM delivery INDEXED BY delivery_line WHERE finished_at IS NULL AND installation = line.installation
    ORDER BY received_at, rowid LIMIT ?1
  )
  ORDER BY ROW_NUMBER() OVER (PARTITION BY delivery.installation ORDER BY received_at, delivery.rowid),
    received_at, delivery.rowid LIMIT ?1`;

const hear = `UPDATE delivery SET person = ?2, heard_at = ?3 WHERE id = ?1 AND person IS NULL AND (
    SELECT COUNT(*) FROM delivery INDEXED BY delivery_heard WHERE person = ?2 AND heard_at > ?3 - ?4
  ) < ?5`;

type DeliveryStore = Pick<
  Store,
  | "addDeliveries"
  | "delivery"
  | "pendingDeliveries"
  | "pendingOf"
  | "finishDelivery"
  | "hear"
  | "allDeliveries"
>;

export const deliveryStore = (connection: Connection, now: () => number): DeliveryStore => ({
  addDeliveries: (deliveries) =>
    connection.write((sql) => {
      const insert = `INSERT INTO delivery (id, forge, event, body, installation, received_at, finished_at)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
      return deliveries.map(
        ({ id, forge, event, body, installation = "", receivedAt, finishedAt = null }) =>
          sql.run(insert, id, forge, event, body, installation, receivedAt, finishedAt).changes > 0,
      );
    }),
  delivery: (id) =>
    connection.read((sql) =>
      sql.one<Delivery & { finishedAt: number | null }>(`SELECT ${columns} FROM delivery WHERE id = ?`, id),
    ),
  pendingDeliveries: (limit) =>
    connection.read((sql) => sql.all<Pick<KeptDelivery, "id" | "installation">>(pending, limit)),
  pendingOf: (installation) =>
    connection.read((sql) => {
      const count = `SELECT COUNT(*) AS count FROM delivery INDEXED BY delivery_line
        WHERE finished_at IS NULL AND installation = ?`;
      return sql.one<{ count: number }>(count, installation)?.count ?? 0;
    }),
  finishDelivery: (id) =>
    connection.write((sql) => {
      sql.run("UPDATE delivery SET finished_at = ? WHERE id = ? AND finished_at IS NULL", now(), id);
    }),
  hear: (delivery, { person, most, withinMs }) =>
    connection.write((sql) => {
      sql.run(hear, delivery, person, now(), withinMs, most);
      return sql.one("SELECT 1 FROM delivery WHERE id = ? AND person = ?", delivery, person) !== undefined;
    }),
  async *allDeliveries() {
    const page = `SELECT rowid, ${columns}, installation FROM delivery WHERE rowid > ? ORDER BY rowid LIMIT ?`;
    for (let last = 0; ; ) {
      const rows = await connection.read((sql) =>
        sql.all<KeptDelivery & { rowid: number }>(page, last, PAGE),
      );
      for (const { rowid, ...delivery } of rows) {
        last = rowid;
        yield delivery;
      }
      if (rows.length < PAGE) return;
    }
  },
});
