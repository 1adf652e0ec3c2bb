import type { Delivery, Store } from "../store.ts";
import type { Connection } from "./connection.ts";
import { storable } from "./storable.ts";

const columns = 'id, forge, event, body, received_at AS "receivedAt"';

/** Bodies may be large. */
const PAGE = 20;

const given = `
  WITH piece AS (
    SELECT * FROM unnest(
      $1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::integer[], $7::integer[]
    ) AS item (id, forge, event, received_at, finished_at, place, size)
  ), given AS (
    SELECT piece.*, convert_from(substring($8::bytea FROM piece.place FOR piece.size), 'UTF8') AS body FROM piece
  )`;

const statements = {
  /** In the order of their ids: two calls that hold the same ones wait for each other in turn. */
  add: {
    name: "add deliveries",
    text: `${given}
      INSERT INTO uwf.delivery (id, forge, event, body, received_at, finished_at)
      SELECT id, forge, event, body, received_at, finished_at FROM given ORDER BY id
      ON CONFLICT (id) DO NOTHING RETURNING id`,
  },
  same: {
    name: "same deliveries",
    text: `${given}
      SELECT delivery.id FROM uwf.delivery JOIN given USING (id, forge, event, body, received_at)`,
  },
  one: {
    name: "delivery",
    text: `SELECT ${columns}, finished_at AS "finishedAt" FROM uwf.delivery WHERE id = $1`,
  },
  pending: {
    name: "pending deliveries",
    text: "SELECT id FROM uwf.delivery WHERE finished_at IS NULL ORDER BY received_at, place LIMIT $1",
  },
  finish: {
    name: "finish delivery",
    text: "UPDATE uwf.delivery SET finished_at = uwf.clock($2) WHERE id = $1 AND finished_at IS NULL",
  },
  page: {
    name: "page of deliveries",
    text: `SELECT place, ${columns}, finished_at AS "finishedAt" FROM uwf.delivery
      WHERE place > $1 ORDER BY place LIMIT ${PAGE}`,
  },
};

type DeliveryStore = Pick<
  Store,
  "addDeliveries" | "delivery" | "pendingDeliveries" | "finishDelivery" | "allDeliveries"
>;

export const deliveryStore = (connection: Connection, time: () => number | null): DeliveryStore => ({
  addDeliveries: async (deliveries) => {
    const firsts = new Map(deliveries.toReversed().map((delivery) => [delivery.id, delivery]));
    if (firsts.size === 0) return [];
    const values = columnsOf([...firsts.values()]);
    let isRepeated = false;
    const rows = await connection.query<{ id: string }>(statements.add, (again) => {
      isRepeated = again;
      return values;
    });
    // What an attempt added whose answer was lost is there exactly as given.
    if (isRepeated) rows.push(...(await connection.query<{ id: string }>(statements.same, values)));
    const added = new Set(rows.map(({ id }) => id));
    return deliveries.map((delivery) => firsts.get(delivery.id) === delivery && added.has(delivery.id));
  },
  delivery: async (id) =>
    (await connection.query<Delivery & { finishedAt: number | null }>(statements.one, [id]))[0],
  pendingDeliveries: async (limit) =>
    (await connection.query<{ id: string }>(statements.pending, [limit])).map(({ id }) => id),
  finishDelivery: async (id) => {
    await connection.query(statements.finish, [id, time()]);
  },
  allDeliveries: () =>
    connection.snapshot(async function* (run) {
      for (let last = 0; ; ) {
        const rows = await run<Delivery & { place: number; finishedAt: number | null }>(statements.page, [
          last,
        ]);
        for (const { place, ...delivery } of rows) {
          last = place;
          yield delivery;
        }
        if (rows.length < PAGE) return;
      }
    }),
});

/** The bodies in one piece, which needs no quoting on its way, with the place and size of each. */
const columnsOf = (deliveries: readonly Parameters<Store["addDeliveries"]>[0][number][]) => {
  const bodies = deliveries.map(({ body }) => Buffer.from(storable(body), "utf8"));
  let end = 1;
  const places = bodies.map(({ length }) => {
    end += length;
    return end - length;
  });
  return [
    deliveries.map(({ id }) => storable(id)),
    deliveries.map(({ forge }) => forge),
    deliveries.map(({ event }) => storable(event)),
    deliveries.map(({ receivedAt }) => receivedAt),
    deliveries.map(({ finishedAt = null }) => finishedAt),
    places,
    bodies.map(({ length }) => length),
    Buffer.concat(bodies),
  ];
};
