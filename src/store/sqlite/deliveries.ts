import type { Delivery, Store } from "../store.ts";
import type { Connection } from "./connection.ts";

const select =
  "SELECT id, forge, event, body, received_at AS receivedAt, finished_at AS finishedAt FROM delivery";

type DeliveryRow = Delivery & { rowid: number; finishedAt: number | null };

/** Bodies may be large. */
const PAGE = 20;

export const deliveryStore = (
  connection: Connection,
  now: () => number,
): Pick<Store, "addDeliveries" | "delivery" | "pendingDeliveries" | "finishDelivery" | "allDeliveries"> => ({
  addDeliveries: (deliveries) =>
    connection.write((sql) => {
      const insert = `INSERT INTO delivery (id, forge, event, body, received_at, finished_at)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
      return deliveries.map(
        ({ id, forge, event, body, receivedAt, finishedAt = null }) =>
          sql.run(insert, id, forge, event, body, receivedAt, finishedAt).changes > 0,
      );
    }),
  delivery: (id) =>
    connection.read((sql) => sql.one<Omit<DeliveryRow, "rowid">>(`${select} WHERE id = ?`, id)),
  pendingDeliveries: (limit) =>
    connection.read((sql) => {
      const pending = "SELECT id FROM delivery WHERE finished_at IS NULL ORDER BY received_at, rowid LIMIT ?";
      return sql.all<{ id: string }>(pending, limit).map(({ id }) => id);
    }),
  finishDelivery: (id) =>
    connection.write((sql) => {
      sql.run("UPDATE delivery SET finished_at = ? WHERE id = ? AND finished_at IS NULL", now(), id);
    }),
  async *allDeliveries() {
    const page = `SELECT rowid, id, forge, event, body, received_at AS receivedAt, finished_at AS finishedAt FROM delivery
      WHERE rowid > ? ORDER BY rowid LIMIT ?`;
    for (let last = 0; ; ) {
      const rows = await connection.read((sql) => sql.all<DeliveryRow>(page, last, PAGE));
      for (const { rowid, ...delivery } of rows) {
        last = rowid;
        yield delivery;
      }
      if (rows.length < PAGE) return;
    }
  },
});
