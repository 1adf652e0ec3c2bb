import { withDiskFull } from "../base/disk-full.ts";
import { AppError, messageOf } from "../base/errors.ts";
import { threadIdFor } from "../base/ids.ts";
import { isObject } from "../base/json.ts";
import { inLogScope } from "../base/log-scope.ts";
import { type ForgeEvent, isInRepository, type RepositoryEvent } from "../forge/events.ts";
import { neutralizeLine } from "../forge/text/neutralize.ts";
import type { Delivery } from "../store/store.ts";
import { isAllowed } from "./allowed.ts";
import { callWorker } from "./call-worker.ts";
import { handleChecks, isOwnCommit } from "./checks.ts";
import { isClearlyAsked } from "./clearly-asked.ts";
import { handleComment } from "./comments.ts";
import { handleInstallation } from "./installations.ts";
import { handleLabelled, handleLabels } from "./labels.ts";
import { tell } from "./notices.ts";
import type { Asked, IntakeParts, Outcome } from "./parts.ts";
import { handleReview } from "./reviews.ts";

/** What cannot be done for so long is given up. */
const GIVE_UP_MS = 24 * 60 * 60_000;
/** Of a reason that people are told. */
const MAX_LINE_CHARS = 500;
const MOST_LINES = 20;

/**
 * Does what a stored delivery asks for, once, and answers the thread that begins or goes on: a delivery is finished when what
 * it leads to is stored, or when it is clear that it leads to nothing, and then people are told why where they asked. A thread's id comes
 * from the delivery's. Throws only what may heal (`retry`), to be asked again, for a day.
 */
export const handleDelivery = (parts: IntakeParts, id: string, signal: AbortSignal): Promise<Outcome> =>
  inLogScope({ delivery: id }, () => handle(parts, id, signal));

const handle = async (parts: IntakeParts, id: string, signal: AbortSignal): Promise<Outcome> => {
  const { store } = parts.engine;
  const delivery = await store.delivery(id);
  // A worker may be called once more for one that another has just handled.
  if (delivery === undefined || delivery.finishedAt !== null) return undefined;
  const event = storedEvent(parts, delivery);
  if (event === null) {
    await store.finishDelivery(id);
    return undefined;
  }
  // What was begun for it stands: the answers and refusals of a second time would be about that.
  const begun = await store.thread(threadIdFor(id, { at: delivery.receivedAt }));
  const thread = begun ?? (await act(parts, { event, delivery, signal }));
  if (thread?.status === "queued") await callWorker(parts, thread);
  await store.finishDelivery(id);
  return thread;
};

/** What `receiver` has kept; another version of the program may have kept something else. */
const storedEvent = ({ log }: IntakeParts, { id, body }: Delivery): ForgeEvent | null => {
  const value: unknown = JSON.parse(body);
  if (isObject(value) && typeof value.kind === "string" && isObject(value.sender)) return value as ForgeEvent;
  log.warn({ delivery: id }, "a delivery was kept in a form that this version does not know");
  return null;
};

type Acting = { event: ForgeEvent; delivery: Delivery; signal: AbortSignal };

const act = async (parts: IntakeParts, acting: Acting): Promise<Outcome> => {
  const { event } = acting;
  if (!isInRepository(event)) {
    await handleInstallation(parts, event);
    return undefined;
  }
  if (!isAllowed(parts.config.allow, event.repository)) {
    parts.log.info({ repository: event.repository }, "the repository is on no list of those that are served");
    return undefined;
  }
  if (event.kind === "checks-finished" && !(await isOwnCommit(parts, event))) return undefined;
  try {
    return await actInRepository(parts, { ...acting, event });
  } catch (raised) {
    const error = withDiskFull(raised);
    if (mayHeal(parts, { ...acting, error })) throw error;
    const level = error instanceof AppError ? "warn" : "error";
    parts.log[level]({ delivery: acting.delivery.id, err: error }, "what was asked for cannot be done");
    await sayWhy(parts, { ...acting, event, error });
    return undefined;
  }
};

type ActingInRepository = Acting & { event: RepositoryEvent };

const actInRepository = async (parts: IntakeParts, acting: ActingInRepository): Promise<Outcome> => {
  const { event } = acting;
  const asked = await open(parts, acting, (forge, place) => parts.readConfig(forge, place));
  switch (event.kind) {
    case "issue-labelled":
      return handleLabelled(parts, asked, event);
    case "labels-changed":
      return handleLabels(parts, asked, event);
    case "commented":
      return handleComment(parts, asked, event);
    case "reviewed":
      return handleReview(parts, asked, event);
    case "checks-finished":
      return handleChecks(parts, asked, event);
  }
};

const open = async <T>(
  parts: IntakeParts,
  { event, delivery, signal }: ActingInRepository,
  readSettings: (forge: Asked["forge"], place: Asked["place"]) => Promise<T>,
) => {
  const { forge: kind, repository, installationId, repositoryId } = event;
  const place = {
    ...{ forge: kind, repository, installationId },
    ...(repositoryId === undefined ? {} : { repositoryId }),
  };
  const forge = await parts.forges.open(place);
  const settings = await readSettings(forge, place);
  return { id: delivery.id, receivedAt: delivery.receivedAt, signal, place, forge, settings };
};

const mayHeal = (
  { engine }: IntakeParts,
  { delivery, signal, error }: Acting & { error: unknown },
): boolean =>
  signal.aborted ||
  (error instanceof AppError && error.remedy === "retry" && engine.now() < delivery.receivedAt + GIVE_UP_MS);

/** Where nothing can be said, the log has it. */
const sayWhy = async (parts: IntakeParts, acting: ActingInRepository & { error: unknown }): Promise<void> => {
  const { event, error } = acting;
  if (event.kind === "checks-finished") return;
  try {
    const asked = await open(parts, acting, async () => null);
    const isWrongConfig = error instanceof AppError && error.code === "repository-config-invalid";
    if (isWrongConfig && !(await isClearlyAsked(parts, asked.forge, event))) return;
    const notice = { to: event.sender.login, text: reasonOf(error) };
    await tell(parts, asked, { number: event.issue.number, notice });
  } catch (unsaid) {
    if (mayHeal(parts, { ...acting, error: unsaid })) throw unsaid;
    parts.log.error(
      { delivery: acting.delivery.id, error: messageOf(unsaid) },
      "cannot say why on the issue",
    );
  }
};

/** Strangers read it: of an unexpected error only the log says more. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof AppError)) return "An unexpected error came up; the log has it.";
  const hint = error.hint === undefined ? [] : [neutralizeLine(error.hint)];
  const lines = error.message.split("\n").map((line) => neutralizeLine(line, { maxChars: MAX_LINE_CHARS }));
  if (lines.length === 1) return [...lines.map(sentence), ...hint].join(" ");
  const list = lines.slice(0, MOST_LINES).map((line) => `- ${line}`);
  return ["This is wrong:", list.join("\n"), ...hint].join("\n\n");
};

/** Names of repositories and files stay as they are written. */
const sentence = (text: string): string =>
  `${text.replace(/^[a-z]+(?=\s)/, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)}${/[.!?…][)"”`]?$/.test(text) ? "" : "."}`;
