import { isObject } from "../../../src/base/json.ts";
import { at } from "./api.ts";
import type { BareRepository } from "./bare-repository.ts";
import type { RigState } from "./rule.ts";

/** A pull request with the head that its branch has now. */
export type RigPull = {
  number: number;
  nodeId: string;
  author: string;
  isOpen: boolean;
  draft: boolean;
  branch: string;
  base: string;
  commit: string;
  /** As the API shows it. */
  data: Record<string, unknown>;
};

type Known = Pick<RigState, "repositories" | "ownerApi" | "forks" | "merged">;

export const pullOf = async (state: Known, fullName: string, number: number): Promise<RigPull | null> => {
  const data = await state
    .ownerApi(fullName)("GET", `/repos/${fullName}/pulls/${number}`)
    .catch(() => null);
  return isObject(data) ? pullIn((await heads(state, fullName))(data)) : null;
};

/** Open and closed ones. */
export const pullsOf = async (state: Known, fullName: string): Promise<RigPull[]> => {
  const api = state.ownerApi(fullName);
  const all: RigPull[] = [];
  const now = await heads(state, fullName);
  for (let page = 1; ; page++) {
    const list = await api("GET", `/repos/${fullName}/pulls?state=all&per_page=100&page=${page}`);
    const pulls = (Array.isArray(list) ? list : []).filter(isObject);
    all.push(...pulls.map((data) => pullIn(now(data))));
    if (pulls.length < 100) return all;
  }
};

const pullIn = (data: Record<string, unknown>): RigPull => ({
  number: Number(data.number),
  nodeId: String(data.node_id),
  author: String(at(data, "user", "login")),
  isOpen: data.state === "open",
  draft: data.draft === true,
  branch: String(at(data, "head", "ref")),
  base: String(at(data, "base", "ref")),
  commit: String(at(data, "head", "sha")),
  data,
});

/** Gives pull requests the heads and merges of now: the emulator keeps the first head, and knows no forks. */
export const heads = async (
  { repositories, forks, merged }: Pick<Known, "repositories" | "forks" | "merged">,
  fullName: string,
): Promise<(pull: Record<string, unknown>) => Record<string, unknown>> => {
  const repository = repositories.get(fullName);
  const commits = repository === undefined ? new Map<number, string>() : await pullHeads(repository);
  return (pull) => {
    const { head } = pull;
    if (!isObject(head)) return pull;
    const fork = forks.get(`${fullName}#${pull.number}`);
    const sha = commits.get(Number(pull.number)) ?? head.sha;
    return {
      ...pull,
      ...mergeOf(merged.get(`${fullName}#${pull.number}`)),
      head: { ...head, sha, ...(fork === undefined ? {} : forkOf(fork, head)) },
    };
  };
};

const mergeOf = (merge: { at: string; commit: string } | undefined): object =>
  merge === undefined ? {} : { merged: true, merged_at: merge.at, merge_commit_sha: merge.commit };

const forkOf = (fork: string | null, head: Record<string, unknown>) => {
  if (fork === null) return { repo: null };
  const [owner, name] = fork.split("/");
  const repo = { ...(isObject(head.repo) ? head.repo : {}), full_name: fork, name, fork: true };
  return { label: `${owner}:${head.ref}`, repo };
};

/** GitHub's own ref of a pull request's last commit, which the rig keeps too. */
export const pullRef = (number: number): string => `refs/pull/${number}/head`;

export const pullHeads = async (repository: BareRepository): Promise<Map<number, string>> => {
  const refs = await repository.git("for-each-ref", "--format=%(objectname) %(refname)", "refs/pull/");
  return new Map(
    refs
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [Number(line.split("/")[2]), line.slice(0, 40)]),
  );
};
