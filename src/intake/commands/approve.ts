import type { Hash } from "../../base/ids.ts";
import { subjectOf } from "../../forge/keys.ts";
import { inlineCode } from "../../forge/text/inline-code.ts";
import { threadMarker } from "../../forge/text/marker.ts";
import { isShownIn } from "../../forge/text/plan.ts";
import type { StepRecord, ThreadRecord } from "../../store/store.ts";
import { approvalIn, approveStep } from "../../thread/approval.ts";
import { repositoryName } from "../../workspace/repository-name.ts";
import { clearNotice } from "../notices.ts";
import type { Asked, IntakeParts } from "../parts.ts";
import { isUnderWay, threadsAbout } from "../subjects.ts";
import { type Handler, type Request, told } from "./request.ts";

/** Lets a thread go on with the very plan that is shown, on the very commit that it was made for. */
export const approve: Handler = async (parts, asked, request) => {
  const { engine } = parts;
  const all = await threadsAbout(engine.store, subjectOf(asked.place, request.issue.number));
  const thread = all.find(isUnderWay);
  const waiting = thread === undefined ? null : await approvalIn(engine.store, thread);
  if (thread === undefined || waiting === null)
    return told("No plan waits for approval here. `/plan` makes one.");
  const void_ = await whyVoid(parts, asked, { thread, plan: waiting.step, request });
  if (void_ !== null) return told(`Not approved: ${void_}`);
  await request.seen();
  const resumed = await approveStep(engine, thread, { approved: waiting, note: null });
  await clearNotice(parts, thread.id);
  return { kind: "done", thread: resumed };
};

type Approval = { thread: ThreadRecord; plan: StepRecord; request: Request };

/** Why an approval does not hold, for people; null when it does. */
const whyVoid = async (
  parts: IntakeParts,
  asked: Asked,
  { thread, plan, request }: Approval,
): Promise<string | null> => {
  const comment = await asked.forge.findComment(request.issue.number, threadMarker(thread.id));
  if (isEarlier(asked, { request, plan }) && (comment === undefined || comment.editedAt > request.at))
    return "the plan was changed after you wrote that. Read the one that is shown now, and approve again.";
  if (comment === undefined || !isShownIn(comment.body, plan.output))
    return "the plan in the comment is not the one that was made: somebody has edited it. `/plan` makes a new one.";
  const moved = await baseMoved(parts, asked, thread.start);
  return moved === null ? null : `${moved} \`/plan\` makes a new one.`;
};

/**
 * Whether the word seems to be older than the plan, as far as the bot's clock and the forge's can be compared: what was received before
 * it was written shows that the bot's is behind. Where the bot's is ahead, the forge's own time of the plan's comment decides.
 */
const isEarlier = (
  { receivedAt }: Pick<Asked, "receivedAt">,
  { request: { at }, plan }: Pick<Approval, "request" | "plan">,
): boolean => plan.step.finishedAt + Math.max(0, at - receivedAt) > at;

const baseMoved = async (
  { engine: { store, workspaces } }: IntakeParts,
  { signal }: Asked,
  start: Hash,
): Promise<string | null> => {
  const { source, workspace } = await store.load("thread-start", start);
  if (source === null || workspace === null) return null;
  const { base } = await store.load("workspace", workspace);
  const tip = await workspaces.fetch(
    { repository: repositoryName(source) },
    { branch: source.pullRequest?.branch ?? source.defaultBranch, signal },
  );
  if (tip.commit === base) return null;
  const from = inlineCode(base.slice(0, 12));
  return `${inlineCode(tip.branch)} has moved from ${from} to ${inlineCode(tip.commit.slice(0, 12))} since the plan was made.`;
};
