import { withDiskFull } from "../base/disk-full.ts";
import { AppError, messageOf } from "../base/errors.ts";
import { threadIdFor } from "../base/ids.ts";
import { inLogScope } from "../base/log-scope.ts";
import type { ForgeEvent } from "../forge/events.ts";
import { neutralizeLine } from "../forge/text/neutralize.ts";
import type { Queue } from "../queue/queue.ts";
import type { Delivery, ThreadRecord } from "../store/store.ts";
import type { InstallationPlaces } from "./installation-places.ts";
import { type SolveParts, solveIssue } from "./solve-issue.ts";
import { installationOf, type Trigger, type TriggerRules, triggerOf } from "./triggers.ts";

/** The event in a delivery; null when it is none of the bot's. */
export type ParseDelivery = (delivery: Pick<Delivery, "id" | "event" | "body">) => ForgeEvent | null;

export type DeliveryParts = SolveParts & {
  queue: Queue;
  rules: TriggerRules;
  parse: ParseDelivery;
  places: InstallationPlaces;
};

/** What cannot be done for so long is given up. */
const GIVE_UP_MS = 24 * 60 * 60_000;

/**
 * Does what a stored delivery asks for, once, and answers the thread: a delivery is finished when its thread is stored,
 * or when it is clear that there will be none, and then the issue says why. The thread's id comes from the delivery's.
 * Throws only what may heal (`retry`), to be asked again, for a day, and `installation-busy` (retry).
 */
export const handleDelivery = (
  parts: DeliveryParts,
  id: string,
  signal: AbortSignal,
): Promise<ThreadRecord | undefined> => inLogScope({ delivery: id }, () => handle(parts, id, signal));

const handle = async (
  parts: DeliveryParts,
  id: string,
  signal: AbortSignal,
): Promise<ThreadRecord | undefined> => {
  const delivery = await parts.store.delivery(id);
  if (delivery === undefined) return undefined;
  const trigger = readTrigger(parts, delivery);
  const thread =
    trigger === null
      ? undefined
      : await parts.places.within(installationOf(trigger), () => start(parts, { trigger, delivery, signal }));
  await parts.store.finishDelivery(id);
  return thread;
};

/** What a delivery asks for; null for nothing. Throws what `parse` throws. */
export const triggerIn = (
  delivery: Parameters<ParseDelivery>[0],
  { parse, rules }: Pick<DeliveryParts, "parse" | "rules">,
): Trigger | null => {
  const event = parse(delivery);
  return event === null ? null : triggerOf(event, rules);
};

const readTrigger = ({ parse, rules, log }: DeliveryParts, delivery: Delivery): Trigger | null => {
  try {
    return triggerIn(delivery, { parse, rules });
  } catch (error) {
    log.warn({ delivery: delivery.id, error: messageOf(error) }, "a delivery cannot be read");
    return null;
  }
};

type Asked = { trigger: Trigger; delivery: Delivery; signal: AbortSignal };

const start = async (parts: DeliveryParts, asked: Asked): Promise<ThreadRecord | undefined> => {
  const { trigger, delivery, signal } = asked;
  try {
    const id = threadIdFor(delivery.id, { at: delivery.receivedAt });
    const thread = await solveIssue(parts, { trigger, id, signal });
    if (thread === undefined) return undefined;
    const { subject, installation } = thread;
    parts.log.info({ delivery: delivery.id, thread: thread.id, subject, installation }, "thread queued");
    await parts.queue.enqueue({ kind: "thread", thread: thread.id });
    return thread;
  } catch (raised) {
    const error = withDiskFull(raised);
    if (mayHeal(parts, { ...asked, error })) throw error;
    const level = error instanceof AppError ? "warn" : "error";
    parts.log[level]({ delivery: delivery.id, err: error }, "a thread cannot be started");
    await sayWhy(parts, { ...asked, error });
    return undefined;
  }
};

const mayHeal = ({ now }: DeliveryParts, { delivery, signal, error }: Asked & { error: unknown }): boolean =>
  signal.aborted ||
  (error instanceof AppError && error.remedy === "retry" && now() < delivery.receivedAt + GIVE_UP_MS);

/** One comment per delivery, found again by its marker. Where nothing can be said, the log has it. */
const sayWhy = async (parts: DeliveryParts, asked: Asked & { error: unknown }): Promise<void> => {
  const { trigger, delivery, error } = asked;
  const marker = `<!-- uwf:delivery:${delivery.id} -->`;
  try {
    const forge = await parts.forges.open(trigger.place);
    if ((await forge.findComment(trigger.issue.number, marker)) !== undefined) return;
    await forge.createComment(trigger.issue.number, `${marker}\n**Not started.** ${reasonOf(error)}`);
  } catch (unsaid) {
    if (mayHeal(parts, { ...asked, error: unsaid })) throw unsaid;
    parts.log.error({ delivery: delivery.id, error: messageOf(unsaid) }, "cannot say why on the issue");
  }
};

/** Strangers read it: of an unexpected error only the log says more. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof AppError)) return "An unexpected error came up; the log has it.";
  const hint = error.hint === undefined ? "" : ` ${neutralizeLine(error.hint)}`;
  return `${neutralizeLine(error.message, { maxChars: 500 })}${hint}`;
};
