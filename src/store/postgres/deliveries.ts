import type { Delivery, KeptDelivery, Store } from "../store.ts";
import type { Connection } from "./connection.ts";
import { storable } from "./storable.ts";

const columns = 'id, forge, event, body, received_at AS "receivedAt"';

/** Bodies may be large. */
const PAGE = 20;

const given = `
  WITH piece AS (
    SELECT * FROM unnest(
      $1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::integer[], $8::integer[]
    ) AS item (id, forge, event, installation, received_at, finished_at, place, size)
  ), given AS (
    SELECT piece.*, convert_from(substring($9::bytea FROM piece.place FOR piece.size), 'UTF8') AS body FROM piece
  )`;

const statements = {
  /** In the order of their ids: two calls that hold the same ones wait for each other in turn. */
  add: {
    name: "add deliveries",
    text: `${given}
      INSERT INTO uwf.delivery (id, forge, event, body, installation, received_at, finished_at)
      SELECT id, forge, event, body, installation, received_at, finished_at FROM given ORDER BY id
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
    text: `
      WITH RECURSIVE line (installation) AS (
        SELECT min(installation) FROM uwf.delivery WHERE finished_at IS NULL
        UNION ALL
        SELECT (
          SELECT min(installation) FROM uwf.delivery WHERE finished_at IS NULL AND installation > line.installation
        ) FROM line WHERE line.installation IS NOT NULL
      )
      SELECT id, installation FROM line, LATERAL (
        SELECT id, received_at, place, row_number() OVER (ORDER BY received_at, place) AS turn FROM uwf.delivery
        WHERE finished_at IS NULL AND delivery.installation = line.installation
        ORDER BY received_at, place LIMIT $1
      ) AS waiting
      ORDER BY turn, received_at, place LIMIT $1`,
  },
  pendingOf: {
    name: "pending deliveries of one",
    text: "SELECT count(*) AS count FROM uwf.delivery WHERE finished_at IS NULL AND installation = $1",
  },
  hear: { name: "hear", text: "SELECT uwf.hear($1, $2, $3, $4, $5) AS heard" },
  finish: {
    name: "finish delivery",
    text: "UPDATE uwf.delivery SET finished_at = uwf.clock($2) WHERE id = $1 AND finished_at IS NULL",
  },
  page: {
    name: "page of deliveries",
    text: `SELECT place, ${columns}, installation, finished_at AS "finishedAt" FROM uwf.delivery
      WHERE place > $1 ORDER BY place LIMIT ${PAGE}`,
  },
};

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
  pendingDeliveries: (limit) =>
    connection.query<Pick<KeptDelivery, "id" | "installation">>(statements.pending, [limit]),
  pendingOf: async (installation) =>
    (await connection.query<{ count: number }>(statements.pendingOf, [storable(installation)]))[0]?.count ??
    0,
  finishDelivery: async (id) => {
    await connection.query(statements.finish, [id, time()]);
  },
  hear: async (delivery, { person, most, withinMs }) => {
    const values = [delivery, storable(person), most, withinMs, time()];
    return (await connection.query<{ heard: boolean }>(statements.hear, values))[0]?.heard === true;
  },
  allDeliveries: () =>
    connection.snapshot(async function* (run) {
      for (let last = 0; ; ) {
        const rows = await run<KeptDelivery & { place: number }>(statements.page, [last]);
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
    deliveries.map(({ installation = "" }) => storable(installation)),
    deliveries.map(({ receivedAt }) => receivedAt),
    deliveries.map(({ finishedAt = null }) => finishedAt),
    places,
    bodies.map(({ length }) => length),
    Buffer.concat(bodies),
  ];
};
