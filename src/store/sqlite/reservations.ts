import type { ThreadId } from "../../base/ids.ts";
import { MOST_MILLIONTHS, millionthsOf, usdOf } from "../money.ts";
import type { AccountState, Store } from "../store.ts";
import type { Connection, Sql } from "./connection.ts";

type ReservationStore = Pick<Store, "reserve" | "settle" | "reserved" | "allReservations">;

type GroupRow = { thread: ThreadId; period: string; amount: number; accounts: string };

const PAGE = 500;

export const reservationStore = (connection: Connection, now: () => number): ReservationStore => ({
  reserve: (thread, { period, usd, accounts }) =>
    connection.write((sql) => {
      const amount = millionthsOf(usd);
      const rooms = accounts.map(({ account, limitUsd }) => {
        const used = usedBy(sql, { account, period, except: thread });
        return { account, limitUsd, used, room: millionthsOf(limitUsd) - used };
      });
      const tightest = rooms.reduce<(typeof rooms)[number] | null>(
        (least, next) => (least === null || next.room < least.room ? next : least),
        null,
      );
      if (tightest !== null && tightest.room < amount) return stateOf(tightest);
      sql.run("DELETE FROM reservation WHERE thread = ? AND period = ?", thread, period);
      const insert = `INSERT INTO reservation (thread, period, account, amount, changed_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (thread, period, account) DO NOTHING`;
      for (const { account } of accounts) sql.run(insert, thread, period, account, amount, now());
      return null;
    }),
  settle: (thread, { period, usd }) =>
    connection.write((sql) => {
      const update = "UPDATE reservation SET amount = ?, changed_at = ? WHERE thread = ? AND period = ?";
      sql.run(update, millionthsOf(usd), now(), thread, period);
    }),
  reserved: (account, period) =>
    connection.read((sql) => usdOf(usedBy(sql, { account, period, except: null }))),
  async *allReservations() {
    const page = `SELECT thread, period, amount, json_group_array(account ORDER BY account) AS accounts FROM reservation
      WHERE (thread, period) > (?, ?) GROUP BY thread, period ORDER BY thread, period LIMIT ${PAGE}`;
    for (let last: Pick<GroupRow, "period"> & { thread: string } = { thread: "", period: "" }; ; ) {
      const { thread, period } = last;
      const rows = await connection.read((sql) => sql.all<GroupRow>(page, thread, period));
      for (const { amount, accounts, ...row } of rows)
        yield { ...row, usd: usdOf(amount), accounts: JSON.parse(accounts) as string[] };
      if (rows.length < PAGE) return;
      last = rows.at(-1) ?? last;
    }
  },
});

type Account = { account: string; period: string; except: ThreadId | null };

const usedBy = (sql: Sql, { account, period, except }: Account): number =>
  sql.one<{ used: number }>(
    `SELECT MIN(COALESCE(SUM(amount), 0), ${MOST_MILLIONTHS}) AS used FROM reservation INDEXED BY reservation_account
      WHERE account = ? AND period = ? AND thread IS NOT ?`,
    account,
    period,
    except,
  )?.used ?? 0;

const stateOf = ({
  account,
  limitUsd,
  used,
}: {
  account: string;
  limitUsd: number;
  used: number;
}): AccountState => ({
  account,
  limitUsd,
  usedUsd: usdOf(used),
});
