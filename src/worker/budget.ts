import { z } from "zod";
import { exactMoney } from "../base/exact-money.ts";
import type { AccountState, Store, ThreadRecord } from "../store/store.ts";
import type { Engine } from "../thread/engine.ts";
import { lastSpentAt, spentSince } from "../thread/spending.ts";
import { type Account, accountsOf, type MonthlyLimits, periodOf, startOf } from "./budget-accounts.ts";

export type BudgetParts = { engine: Pick<Engine, "store" | "now">; monthly: MonthlyLimits | null };

/**
 * What a thread has used of a month's accounts, up to a moment: link `spent`. A run counts for the month in which it began. The moment
 * is that of the last turn that counts, by the clock of whoever made it: others' clocks may differ, and turns are dated one after the other.
 */
const Spent = z.strictObject({ period: z.string(), usd: z.number(), at: z.number() });
type Spent = z.output<typeof Spent>;

/**
 * Sets aside what the thread has spent this month and may still spend, before it runs. Answers why it may not run, for people;
 * null when it may. Asked again for the same thread, it changes nothing but the amount.
 */
export const reserveBudget = async (
  { engine, monthly }: BudgetParts,
  record: ThreadRecord,
): Promise<string | null> => {
  if (monthly === null || Object.values(monthly).every((usd) => usd === null)) return null;
  const { store } = engine;
  const before = await spentBefore(store, record);
  const period = laterOf(before?.period, periodOf(engine.now()));
  const history = await store.history(record.head);
  const accounts = accountsOf(history.start.source, monthly);
  if (accounts.length === 0) return null;
  const { budgetUsd } = history.start.limits;
  const granted = await spentSince(store, { record, history }, record.grantedAt);
  const leftUsd = budgetUsd === null ? Number.POSITIVE_INFINITY : Math.max(0, budgetUsd - granted);
  const spent = await spentIn({ store, record, history, before }, period);
  const refused = await store.reserve(record.id, { period, usd: spent.usd + leftUsd, accounts });
  // What a refused thread has spent stays in an account that has it.
  const kept =
    refused !== null && before !== null
      ? await spentIn({ store, record, history, before }, before.period)
      : spent;
  if (refused !== null) await store.settle(record.id, kept);
  await store.setLink(record.id, "spent", JSON.stringify(kept));
  return refused === null ? null : whyRefused({ refused, accounts, period, leftUsd });
};

/** Gives back what the thread has not spent, once it stands still. */
export const settleBudget = async (
  { engine: { store }, monthly }: BudgetParts,
  record: ThreadRecord,
): Promise<void> => {
  const before = monthly === null ? null : await spentBefore(store, record);
  if (before === null) return;
  const history = await store.history(record.head);
  const at = Math.max(before.at, await lastSpentAt(store, { record, history }));
  const usd = before.usd + (await spentSince(store, { record, history }, before.at));
  const spent: Spent = { ...before, usd, at };
  await store.settle(record.id, spent);
  await store.setLink(record.id, "spent", JSON.stringify(spent));
};

const spentBefore = async (store: Store, { id }: ThreadRecord): Promise<Spent | null> => {
  const link = await store.link(id, "spent");
  return link === undefined ? null : Spent.parse(JSON.parse(link));
};

type Spending = {
  store: Store;
  record: ThreadRecord;
  history: Parameters<typeof spentSince>[1]["history"];
  before: Spent | null;
};

/** A clock that goes back into a month that is settled would have what was used there forgotten. */
const laterOf = (before: string | undefined, now: string): string =>
  before !== undefined && before > now ? before : now;

/** What it has spent in the period, where a worker may have died before it could say so; then the month before is settled as well. */
const spentIn = async ({ store, record, history, before }: Spending, period: string): Promise<Spent> => {
  const at = Math.max(before?.at ?? 0, await lastSpentAt(store, { record, history }));
  const since = (moment: number): Promise<number> => spentSince(store, { record, history }, moment);
  // The steps that a fork shares are not its own.
  if (before === null)
    return { period, usd: await since(Math.max(startOf(period), record.createdAt) - 1), at };
  const all = await since(before.at);
  if (before.period === period) return { period, usd: before.usd + all, at };
  const now = await since(Math.max(before.at, startOf(period) - 1));
  await store.settle(record.id, { period: before.period, usd: before.usd + all - now });
  return { period, usd: now, at };
};

type Refusal = { refused: AccountState; accounts: readonly Account[]; period: string; leftUsd: number };

const whyRefused = ({ refused, accounts, period, leftUsd }: Refusal): string => {
  const whose = accounts.find(({ account }) => account === refused.account)?.whose ?? refused.account;
  const used = `${exactMoney(refused.usedUsd)} of the ${exactMoney(refused.limitUsd)} for ${whose} in ${period} is used or set aside`;
  return Number.isFinite(leftUsd)
    ? `${used}, and this work may cost another ${exactMoney(leftUsd)}. /resume goes on when there is room.`
    : `${used}, and this work has no budget of its own, without which it may not begin.`;
};
