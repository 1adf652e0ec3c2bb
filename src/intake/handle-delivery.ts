import { AppError, messageOf } from "../base/errors.ts";
import type { ForgeEvent } from "../forge/events.ts";
import type { Forge } from "../forge/forge.ts";
import { neutralizeLine } from "../forge/text/neutralize.ts";
import type { Queue } from "../queue/queue.ts";
import type { Delivery } from "../store/store.ts";
import { type SolveParts, solveIssue } from "./solve-issue.ts";
import { type Trigger, type TriggerRules, triggerOf } from "./triggers.ts";

export type DeliveryParts = SolveParts & {
  queue: Queue;
  rules: TriggerRules;
  /** The event in a delivery; null when it is none of the bot's. */
  parse(delivery: Delivery): ForgeEvent | null;
};

/**
 * Does what a stored delivery asks for, once: a delivery is finished when its thread is stored, or when it is clear
 * that there will be none, and then the issue says why. Throws only what may heal (`retry`), to be asked again.
 */
export const handleDelivery = async (
  parts: DeliveryParts,
  id: string,
  signal: AbortSignal,
): Promise<void> => {
  const delivery = await parts.store.delivery(id);
  if (delivery === undefined) return;
  const trigger = readTrigger(parts, delivery);
  if (trigger !== null) await start(parts, { trigger, id, signal });
  await parts.store.finishDelivery(id);
};

const readTrigger = ({ parse, rules, log }: DeliveryParts, delivery: Delivery): Trigger | null => {
  try {
    const event = parse(delivery);
    return event === null ? null : triggerOf(event, rules);
  } catch (error) {
    log.warn({ delivery: delivery.id, error: messageOf(error) }, "a delivery cannot be read");
    return null;
  }
};

const start = async (
  parts: DeliveryParts,
  { trigger, id, signal }: { trigger: Trigger; id: string; signal: AbortSignal },
): Promise<void> => {
  try {
    const thread = await solveIssue(parts, trigger, signal);
    if (thread === undefined) return;
    parts.log.info({ delivery: id, thread: thread.id, subject: thread.subject }, "thread queued");
    await parts.queue.enqueue({ kind: "thread", thread: thread.id });
  } catch (error) {
    if (!(error instanceof AppError) || error.remedy === "retry") throw error;
    parts.log.warn({ delivery: id, error: messageOf(error) }, "a thread cannot be started");
    await sayWhy(await parts.forges.open(trigger.place), { trigger, id, error });
  }
};

/** One comment per delivery, found again by its marker. */
const sayWhy = async (
  forge: Forge,
  { trigger, id, error }: { trigger: Trigger; id: string; error: AppError },
): Promise<void> => {
  const marker = `<!-- uwf:delivery:${id} -->`;
  if ((await forge.findComment(trigger.issue.number, marker)) !== undefined) return;
  const hint = error.hint === undefined ? "" : ` ${neutralizeLine(error.hint)}`;
  await forge.createComment(
    trigger.issue.number,
    `${marker}\n**Not started.** ${neutralizeLine(error.message, { maxChars: 500 })}${hint}`,
  );
};
