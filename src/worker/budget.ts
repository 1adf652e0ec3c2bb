import { z } from "zod";
import { exactMoney } from "../base/exact-money.ts";
import type { AccountState, Store, ThreadRecord } from "../store/store.ts";
import type { Engine } from "../thread/engine.ts";
import { spentSince } from "../thread/spending.ts";
import { type Account, accountsOf, type MonthlyLimits, periodOf, startOf } from "./budget-accounts.ts";

export type BudgetParts = { engine: Pick<Engine, "store" | "now">; monthly: MonthlyLimits | null };

/** What a thread has used of a month's accounts, up to a moment: link `spent`. A run counts for the month in which it began. */
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
  const at = engine.now();
  const period = periodOf(at);
  const history = await store.history(record.head);
  const accounts = accountsOf(history.start.source, monthly);
  if (accounts.length === 0) return null;
  const { budgetUsd } = history.start.limits;
  const granted = await spentSince(store, { record, history }, record.grantedAt);
  const leftUsd = budgetUsd === null ? Number.POSITIVE_INFINITY : Math.max(0, budgetUsd - granted);
  const spent = await spentIn({ store, record, history, at }, period);
  const refused = await store.reserve(record.id, { period, usd: spent.usd + leftUsd, accounts });
  if (refused !== null) await store.settle(record.id, spent);
  await store.setLink(record.id, "spent", JSON.stringify(spent));
  return refused === null ? null : whyRefused({ refused, accounts, period, leftUsd });
};

/** Gives back what the thread has not spent, once it stands still. */
export const settleBudget = async (
  { engine: { store, now }, monthly }: BudgetParts,
  record: ThreadRecord,
): Promise<void> => {
  const before = monthly === null ? null : await spentBefore(store, record);
  if (before === null) return;
  const at = now();
  const history = await store.history(record.head);
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
  at: number;
};

/** What it has spent in the period, where a worker may have died before it could say so; then the month before is settled as well. */
const spentIn = async ({ store, record, history, at }: Spending, period: string): Promise<Spent> => {
  const before = await spentBefore(store, record);
  // The steps that a fork shares are not its own.
  const since = Math.max(before?.at ?? 0, startOf(period) - 1, record.createdAt);
  const now = await spentSince(store, { record, history }, since);
  if (before === null) return { period, usd: now, at };
  if (before.period === period) return { period, usd: before.usd + now, at };
  const all = await spentSince(store, { record, history }, before.at);
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
