import { z } from "zod";
import { AppError, inputError } from "../base/errors.ts";
import type { Forge, Forges, PullRequest } from "../forge/forge.ts";
import { branchName } from "../forge/text/branch-name.ts";
import { neutralizeLine } from "../forge/text/neutralize.ts";
import { pullRequestBody } from "../forge/text/pull-request-body.ts";
import type { Source } from "../store/payload.ts";
import type { Store } from "../store/store.ts";
import type { Publication, Published, Publisher } from "../thread/publisher.ts";
import type { CommitRequest, PushResult, Remote, Workspaces } from "../workspace/workspace.ts";
import { checksPassed } from "./checks-passed.ts";
import { receiptOf } from "./receipt.ts";

/** What a publishing role answers. */
const Submission = z.object({ title: z.string().trim().min(1), body: z.string() });
type Submission = z.output<typeof Submission>;

export type PublisherParts = {
  store: Store;
  workspaces: Workspaces;
  /** Null where only local repositories are worked on. */
  forges: Forges | null;
  now: () => number;
};

/** Branches of one repository that may be tried for one issue, before somebody has to clean up. */
const MAX_BRANCHES = 20;

/**
 * Pushes the thread's tree to its branch and opens or updates the pull request. A repeated call finds the same
 * branch, commit and pull request. Throws `publish-output-invalid`, `nothing-changed`, `permission-lost` (fix-input), the
 * signal's reason, what `confirm` throws, and what git and the forge throw.
 */
export const publisher = (parts: PublisherParts): Publisher => ({
  publish: async (publication) => {
    const { source } = publication.history.start;
    if (source === null)
      throw inputError(
        "publish-nowhere",
        "The thread works on no repository: there is nowhere to publish to.",
      );
    const submission = submissionOf(publication);
    const forge = await forgeOf(parts, source);
    if (forge !== null) await requireWriter(forge, source);
    const pushed = await push(parts, { publication, source, submission, forge });
    const text = {
      title: neutralizeLine(submission.title),
      body: pullRequestBody({
        body: submission.body,
        issue: forge === null ? null : source.issue.number,
        receipt: await receiptOf(parts.store, publication, parts.now()),
      }),
    };
    const pull = forge === null ? null : await open(parts, { publication, source, forge, pushed, text });
    return {
      branch: pushed.branch,
      commit: pushed.commit,
      url: pull?.url ?? null,
      ...text,
    } satisfies Published;
  },
});

const submissionOf = ({ output, step }: Publication): Submission => {
  const read = Submission.safeParse(output);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  throw inputError(
    "publish-output-invalid",
    `${step.role} publishes, so its output needs a title and a body (${problems.join("; ")}).`,
    "Let the role's schema require both, as text.",
  );
};

const forgeOf = async ({ forges }: PublisherParts, source: Source): Promise<Forge | null> => {
  if (source.forge === "local") return null;
  if (forges === null)
    throw new AppError(`This process is not set up for ${source.forge}.`, {
      code: "forge-unconfigured",
      remedy: "fix-config",
      hint: "Run the thread where `uwf start` runs.",
    });
  return forges.open(source);
};

/** Permission may have been taken away since the trigger. */
const requireWriter = async (forge: Forge, { requester, repository }: Source): Promise<void> => {
  if (requester === null) throw inputError("permission-lost", "Nobody is known to have asked for this work.");
  const permission = await forge.permission(requester.login);
  if (permission === "write" || permission === "admin") return;
  throw inputError(
    "permission-lost",
    `${requester.login} may not write to ${repository} any more, so nothing was published.`,
    "Somebody who may write can ask for the work again.",
  );
};

type Push = { publication: Publication; source: Source; submission: Submission; forge: Forge | null };

const push = async (parts: PublisherParts, request: Push): Promise<PushResult> => {
  const { publication, source, submission, forge } = request;
  const remote: Remote =
    forge === null ? { url: source.repository, token: null } : await forge.remote("write");
  const commit = {
    message: commitMessage(submission, source),
    author: forge === null ? { name: "uwf", email: "uwf@localhost" } : await forge.botAuthor(),
    coAuthors: forge === null || source.requester === null ? [] : coAuthors(forge, source.requester),
    at: publication.history.start.createdAt,
  };
  const known = await parts.store.link(publication.thread, "branch");
  const wanted = branchName(source.issue);
  for (let attempt = 1; ; attempt++) {
    publication.signal.throwIfAborted();
    const branch = known ?? (attempt === 1 ? wanted : `${wanted}-${attempt}`);
    try {
      return await pushTo(parts, { publication, remote, commit: { ...commit, branch } });
    } catch (error) {
      // Another thread's work on the same issue, or somebody's own: it stays as it is.
      const taken = error instanceof AppError && error.code === "branch-moved";
      if (!taken || known !== undefined || attempt === MAX_BRANCHES) throw error;
    }
  }
};

const pushTo = async (
  { workspaces, store }: PublisherParts,
  { publication, remote, commit }: { publication: Publication; remote: Remote; commit: CommitRequest },
): Promise<PushResult> => {
  const { thread, workspace, confirm } = publication;
  const pushed = await workspaces.push(thread, workspace, commit, remote, { confirm });
  const { tree, base } = await store.load("workspace", publication.workspace);
  if (pushed.commit === base)
    throw inputError(
      "nothing-changed",
      `The work changed no file (tree ${tree.slice(0, 12)} is the base's), so there is nothing to publish.`,
      "Say in a note what is missing, and resume.",
    );
  await store.setLink(publication.thread, "branch", pushed.branch);
  return pushed;
};

/** The title is a role's: it may close nothing by itself when the commit is merged. */
const commitMessage = (submission: Submission, { issue }: Source): string => {
  const title = neutralizeLine(submission.title);
  return issue.number === null ? title : `${title}\n\nCloses #${issue.number}`;
};

const coAuthors = (forge: Forge, requester: NonNullable<Source["requester"]>) =>
  requester.id === null ? [] : [forge.userAuthor({ login: requester.login, id: requester.id })];

type Open = {
  publication: Publication;
  source: Source;
  forge: Forge;
  pushed: PushResult;
  text: { title: string; body: string };
};

const open = async (
  { store }: PublisherParts,
  { publication, source, forge, pushed, text }: Open,
): Promise<PullRequest> => {
  const last = await forge.findPullRequest(pushed.branch);
  // What people have merged or closed is done with: further work gets a pull request of its own.
  const found = last?.state === "open" ? last : undefined;
  publication.signal.throwIfAborted();
  await publication.confirm();
  const pull =
    found ??
    (await forge.createPullRequest({
      ...text,
      branch: pushed.branch,
      base: source.defaultBranch,
      draft: !checksPassed(publication.history),
      reviewers: source.requester === null ? [] : [source.requester.login],
    }));
  if (found !== undefined) await forge.updatePullRequest(found.number, text);
  await store.setLink(
    publication.thread,
    "pull-request",
    JSON.stringify({ number: pull.number, url: pull.url, draft: pull.draft }),
  );
  return pull;
};
