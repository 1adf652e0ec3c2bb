import type { ThreadId } from "../../base/ids.ts";
import { MOST_MILLIONTHS, millionthsOf, usdOf } from "../money.ts";
import type { Store } from "../store.ts";
import type { Connection } from "./connection.ts";
import { storable } from "./storable.ts";

const PAGE = 500;

/** All may be repeated: what was set aside before for the same thread and period is replaced, and never stands in its way. */
const statements = {
  reserve: { name: "reserve", text: "SELECT place, used FROM uwf.reserve($1, $2, $3, $4, $5, $6)" },
  settle: {
    name: "settle",
    text: `UPDATE uwf.reservation SET amount = $3, changed_at = uwf.clock($4) WHERE thread = $1 AND period = $2`,
  },
  reserved: {
    name: "reserved",
    text: `SELECT least(coalesce(sum(amount), 0), ${MOST_MILLIONTHS})::bigint AS used FROM uwf.reservation WHERE account = $1 AND period = $2`,
  },
  page: {
    name: "page of reservations",
    text: `SELECT thread, period, min(amount) AS amount, array_agg(account ORDER BY account) AS accounts
      FROM uwf.reservation WHERE (thread, period) > ($1, $2)
      GROUP BY thread, period ORDER BY thread, period LIMIT ${PAGE}`,
  },
};

type GroupRow = { thread: ThreadId; period: string; amount: number; accounts: string[] };

type ReservationStore = Pick<Store, "reserve" | "settle" | "reserved" | "allReservations">;

export const reservationStore = (connection: Connection, time: () => number | null): ReservationStore => ({
  reserve: async (thread, { period, usd, accounts }) => {
    const [full] = await connection.query<{ place: number; used: number }>(statements.reserve, [
      ...[thread, period, millionthsOf(usd)],
      accounts.map(({ account }) => storable(account)),
      accounts.map(({ limitUsd }) => millionthsOf(limitUsd)),
      time(),
    ]);
    const refused = full === undefined ? undefined : accounts[full.place - 1];
    return full === undefined || refused === undefined ? null : { ...refused, usedUsd: usdOf(full.used) };
  },
  settle: async (thread, { period, usd }) => {
    await connection.query(statements.settle, [thread, period, millionthsOf(usd), time()]);
  },
  reserved: async (account, period) => {
    const [row] = await connection.query<{ used: number }>(statements.reserved, [storable(account), period]);
    return usdOf(row?.used ?? 0);
  },
  allReservations: () =>
    connection.snapshot(async function* (run) {
      for (let last: readonly [string, string] = ["", ""]; ; ) {
        const rows = await run<GroupRow>(statements.page, [...last]);
        for (const { amount, ...row } of rows) {
          last = [row.thread, row.period];
          yield { ...row, usd: usdOf(amount) };
        }
        if (rows.length < PAGE) return;
      }
    }),
});
