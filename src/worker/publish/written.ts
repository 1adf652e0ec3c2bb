import { createHash } from "node:crypto";
import { z } from "zod";
import type { PullRequestDetails } from "../../forge/forge.ts";
import type { Store } from "../../store/store.ts";
import type { PublishedWork } from "../../thread/publisher.ts";

export type PullRequestText = { title: string; body: string };

const Fingerprints = z.object({ title: z.string(), body: z.string() });
type Fingerprints = z.output<typeof Fingerprints>;

/** The link `pull-request`: the thread's pull request as its last publication left it. */
const PullLink = z.object({
  number: z.int(),
  url: z.string(),
  draft: z.boolean(),
  /** What was written into it, so that what people have edited since is told apart. */
  written: Fingerprints.optional(),
  /** It shows work that stopped half-way. */
  partial: z.boolean().default(false),
});
export type PullLink = z.output<typeof PullLink>;

export const pullLinkOf = async (
  store: Store,
  { thread }: Pick<PublishedWork, "thread">,
): Promise<PullLink | undefined> => {
  const link = await store.link(thread, "pull-request");
  return link === undefined ? undefined : PullLink.parse(JSON.parse(link));
};

export const fingerprintsOf = ({ title, body }: PullRequestText): Fingerprints => ({
  title: fingerprint(title),
  body: fingerprint(body),
});

/** Forges change the ends of lines and of the text. */
const fingerprint = (text: string): string =>
  createHash("sha256").update(text.replace(/\r\n?/g, "\n").trim()).digest("base64url");

/** The parts of a new text that may be written: those that nobody has edited since the last one. */
export const unedited = (
  text: PullRequestText,
  { now, written }: { now: Pick<PullRequestDetails, "title" | "body">; written: Fingerprints | undefined },
): Partial<PullRequestText> => {
  if (written === undefined) return text;
  const standing = fingerprintsOf(now);
  return {
    ...(standing.title === written.title ? { title: text.title } : {}),
    ...(standing.body === written.body ? { body: text.body } : {}),
  };
};
