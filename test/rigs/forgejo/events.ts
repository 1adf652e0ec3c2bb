import { commentOf, issueOf, pullOf, repositoryOf, userOf } from "./render.ts";
import type { Webhooks } from "./webhooks.ts";
import type { Account, Comment, Item, Repository, Review, World } from "./world.ts";

type About = { world: World; hooks: Webhooks; repository: Repository; by: Account };

/** Something about an issue or a pull request. Of labels Forgejo says which there are now, and no more. */
export const tellItem = async (
  about: About,
  item: Item,
  { action, type }: { action: string; type: "" | "_label" | "_sync" | "_review_request" },
): Promise<void> => {
  const { world, hooks, repository, by } = about;
  const common = { repository: repositoryOf(world, repository), sender: userOf(world, by), commit_id: "" };
  if (item.pull === null) {
    const payload = { action, number: item.number, issue: issueOf(world, repository, item), ...common };
    return hooks.send({ event: "issues", type: type === "_label" ? "issue_label" : "issues" }, payload);
  }
  const pull_request = pullOf(world, repository, item, await repository.bare.branches());
  const payload = {
    action,
    number: item.number,
    pull_request,
    requested_reviewer: null,
    ...common,
    review: null,
  };
  hooks.send({ event: "pull_request", type: `pull_request${type}` }, payload);
};

export const tellComment = (
  { world, hooks, repository, by }: About,
  item: Item,
  {
    action,
    comment,
    before,
  }: { action: "created" | "edited" | "deleted"; comment: Comment; before?: string },
): void => {
  const isPull = item.pull !== null;
  hooks.send(
    { event: "issue_comment", type: isPull ? "pull_request_comment" : "issue_comment" },
    {
      action,
      issue: issueOf(world, repository, item),
      comment: commentOf(world, repository, item, comment),
      ...(before === undefined ? {} : { changes: { body: { from: before } } }),
      repository: repositoryOf(world, repository),
      sender: userOf(world, by),
      is_pull: isPull,
    },
  );
};

const REVIEWS = {
  APPROVED: { event: "pull_request_approved", type: "pull_request_review_approved" },
  REQUEST_CHANGES: { event: "pull_request_rejected", type: "pull_request_review_rejected" },
  COMMENT: { event: "pull_request_comment", type: "pull_request_review_comment" },
} as const;

/** The payload says neither the review's id nor its lines. */
export const tellReview = async (
  { world, hooks, repository, by }: About,
  item: Item,
  review: Review,
): Promise<void> => {
  const name = REVIEWS[review.state];
  const pull_request = pullOf(world, repository, item, await repository.bare.branches());
  hooks.send(name, {
    action: "reviewed",
    number: item.number,
    pull_request,
    requested_reviewer: null,
    repository: repositoryOf(world, repository),
    sender: userOf(world, by),
    commit_id: "",
    review: { type: name.type, content: review.body },
  });
};

/** A run of Forgejo Actions that ended. Forgejo 11 does not tell it. */
export const tellRun = (
  { world, hooks, repository, by }: About,
  { action, commit, ref }: { action: "success" | "failure" | "recover"; commit: string; ref: string },
): void => {
  const id = world.nextId();
  hooks.send(
    { event: `action_run_${action}`, type: `action_run_${action}` },
    {
      action,
      run: {
        id,
        title: "test",
        repository: repositoryOf(world, repository),
        workflow_id: "test.yml",
        index_in_repo: id,
        trigger_user: userOf(world, by),
        prettyref: ref,
        commit_sha: commit,
        event: "push",
        trigger_event: "push",
        status: action === "failure" ? "failure" : "success",
        html_url: `${world.origin}/${repository.fullName}/actions/runs/${id}`,
      },
      prior_status: "running",
    },
  );
};

export const tellDeleted = ({ world, hooks, repository, by }: About): void => {
  const owner = userOf(world, repository.owner);
  hooks.send(
    { event: "repository", type: "repository" },
    {
      action: "deleted",
      repository: repositoryOf(world, repository),
      organization: owner,
      sender: userOf(world, by),
    },
  );
};
