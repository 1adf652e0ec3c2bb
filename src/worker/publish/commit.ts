import { inputError } from "../../base/errors.ts";
import { neutralizeLine } from "../../forge/text/neutralize.ts";
import type { RepositorySettings } from "../../store/payload.ts";
import type { PublishedWork } from "../../thread/publisher.ts";
import type { CommitRequest, PushResult, Remote } from "../../workspace/workspace.ts";
import { admittedFile } from "./admitted-file.ts";
import type { PublisherParts, Target } from "./parts.ts";
import { requireUnprotected } from "./protected-paths.ts";

/** What a push needs besides its branch. */
export type Prepared = {
  /** Asked for each push: the token for one is taken back after it. */
  remote: () => Promise<Remote>;
  settings: RepositorySettings;
  commit: Omit<CommitRequest, "branch" | "prefix">;
};

/** How the work is signed and where it goes. `closes`: the issue that the commit closes when it is merged. */
export const prepareCommit = async (
  { source, on, settings }: Target,
  { history }: Pick<PublishedWork, "history">,
  { title, closes }: { title: string; closes: number | null },
): Promise<Prepared> => {
  // The title is a role's: it may close nothing by itself when the commit is merged.
  const subject = neutralizeLine(title);
  const { requester } = source;
  const credited = on === null || requester === null || requester.id === null ? null : requester;
  return {
    settings,
    remote: async () =>
      on === null ? { url: source.repository, token: null } : await on.forge.remote("write"),
    commit: {
      message: closes === null ? subject : `${subject}\n\nCloses #${closes}`,
      author: on === null ? { name: "uwf", email: "uwf@localhost" } : await on.forge.botAuthor(),
      coAuthors:
        on === null || credited?.id == null
          ? []
          : [on.forge.userAuthor({ login: credited.login, id: credited.id })],
      at: history.start.createdAt,
    },
  };
};

/** Pushes the work to one branch, and keeps its name. Throws `nothing-changed`, `protected-path` (fix-input), and what git throws. */
export const pushTo = async (
  { workspaces, store }: PublisherParts,
  work: PublishedWork,
  {
    prepared: { remote, settings, commit },
    ...at
  }: { prepared: Prepared } & Pick<CommitRequest, "branch" | "prefix" | "onto">,
): Promise<PushResult> => {
  const { thread, workspace, history, confirm, signal } = work;
  signal.throwIfAborted();
  const admitted = await admittedFile(store, history);
  const pushed = await workspaces.push(thread, workspace, { ...commit, ...at }, await remote(), {
    examine: (tree) => requireUnprotected(tree, settings, admitted),
    confirm,
  });
  const captured = await store.load("workspace", workspace);
  if (pushed.commit === captured.base) throw nothingChanged();
  await store.setLink(thread, "branch", pushed.branch);
  return pushed;
};

export const nothingChanged = () =>
  inputError(
    "nothing-changed",
    "The work changed no file, so there is nothing to publish.",
    "Say in a note what is missing, and resume.",
  );
