import { z } from "zod";
import { isHash } from "../base/ids.ts";
import type { Forge } from "../forge/forge.ts";
import { designComment } from "../forge/text/design-comment.ts";
import { DesignTurn } from "../forge/text/design-turn.ts";
import { turnMarker } from "../forge/text/marker.ts";
import type { ThreadView } from "../forge/text/thread-view.ts";
import type { StepRecord, Store } from "../store/store.ts";
import { isConversation, isOfDesigner } from "../thread/conversation.ts";
import { ownSteps, type Situation } from "./situation.ts";
import { type CommentParts, takeTurn } from "./thread-comment.ts";

type Talking = { situation: Situation; view: Pick<ThreadView, "requester">; forge: Forge; issue: number };

/**
 * Says in a comment each what the steps of a conversation have to say to the person, in their order, once each, however many processes
 * do so at once. What is said stays. Throws `comment-busy` (retry), and what the forge throws.
 */
export const showTurns = async (parts: CommentParts, talking: Talking): Promise<void> => {
  const { situation, view, forge, issue } = talking;
  const { id } = situation.record;
  const steps = ownSteps(situation);
  if (shownOf(situation.links.turns) >= steps.length) return;
  if (!(await isConversation(parts.store, situation.record))) return;
  const lease = await takeTurn(parts, `turns/${id}`);
  try {
    const shown = shownOf(await parts.store.link(id, "turns"));
    for (const [index, step] of steps.entries()) {
      if (index < shown) continue;
      const number = index + 1;
      const turn = await turnOf(parts.store, step);
      // Who made it may have died before it could be noted.
      if (turn !== null && (await forge.findComment(issue, turnMarker(id, number))) === undefined) {
        await lease.ensure();
        const body = designComment(turn, { thread: id, step: number, to: view.requester });
        await forge.createComment(issue, body);
      }
      await parts.store.setLink(id, "turns", String(number));
    }
  } finally {
    await lease.release();
  }
};

const shownOf = (link: string | undefined): number => Number(link ?? 0);

const Said = z.looseObject({ said: z.string().refine(isHash) });

/** What a step says; null for one that says nothing. */
const turnOf = async (
  store: Pick<Store, "load">,
  { step, output }: StepRecord,
): Promise<DesignTurn | null> => {
  const said = Said.safeParse(output);
  if (!said.success || !(await isOfDesigner(store, step))) return null;
  const { text } = await store.load("text", said.data.said);
  return DesignTurn.parse(JSON.parse(text));
};
