import { type Api, at } from "./api.ts";
import { type BareRepository, blobOf } from "./bare-repository.ts";

export type Copier = () => Promise<void>;

/** Brings what was pushed to the emulator: objects by its git API, then branches. Names of objects stay equal. */
export const gitToEmulator = (repository: BareRepository, api: Api): Copier => {
  const known = new Set<string>();
  const base = `/repos/${repository.fullName}/git`;

  const copyBlob = async (sha: string): Promise<void> => {
    if (known.has(sha)) return;
    const content = (await blobOf(repository, sha)).toString("base64");
    same(await api("POST", `${base}/blobs`, { content, encoding: "base64" }), sha);
    known.add(sha);
  };

  const copyTree = async (sha: string): Promise<void> => {
    if (known.has(sha)) return;
    const entries = entriesOf(await repository.git("ls-tree", "-r", "-z", "--full-tree", sha));
    for (const entry of entries) await copyBlob(entry.sha);
    same(await api("POST", `${base}/trees`, { tree: entries }), sha);
    known.add(sha);
  };

  const copyCommit = async (sha: string): Promise<void> => {
    const raw = await repository.git("show", "--no-patch", `--format=${COMMIT_FORMAT}`, sha);
    const [tree = "", parents = "", an, ae, ad, cn, ce, cd, ...message] = raw.split("\n");
    await copyTree(tree);
    const commit = {
      tree,
      parents: parents.split(" ").filter((parent) => parent !== ""),
      author: { name: an, email: ae, date: ad },
      committer: { name: cn, email: ce, date: cd },
      message: message.join("\n").replace(/\n+$/, "\n"),
    };
    same(await api("POST", `${base}/commits`, commit), sha);
    known.add(sha);
  };

  return async () => {
    const branches = await repository.branches();
    const there = await branchesOf(repository, api);
    for (const [name, sha] of branches) {
      if (there.get(name) === sha) continue;
      const commits = await repository.git(
        "rev-list",
        "--reverse",
        "--topo-order",
        sha,
        "--not",
        ...there.values(),
      );
      for (const commit of commits.split("\n")) {
        if (commit !== "" && !known.has(commit)) await copyCommit(commit);
      }
      const ref = `heads/${name}`;
      if (there.has(name)) await api("PATCH", `${base}/refs/${ref}`, { sha, force: true });
      else await api("POST", `${base}/refs`, { ref: `refs/${ref}`, sha });
    }
    for (const name of there.keys()) {
      if (!branches.has(name)) await api("DELETE", `${base}/refs/heads/${name}`);
    }
  };
};

/** Branch name → commit, as the emulator has them. */
export const branchesOf = async ({ fullName }: BareRepository, api: Api): Promise<Map<string, string>> => {
  const refs = await api("GET", `/repos/${fullName}/git/matching-refs/heads/`);
  const list = Array.isArray(refs) ? refs : [];
  return new Map(
    list.map((ref) => [String(at(ref, "ref")).replace("refs/heads/", ""), String(at(ref, "object", "sha"))]),
  );
};

const COMMIT_FORMAT = ["%T", "%P", "%an", "%ae", "%aI", "%cn", "%ce", "%cI", "%B"].join("%n");

const entriesOf = (listing: string) =>
  listing
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [meta = "", path = ""] = line.split("\t");
      const [mode = "", type = "", sha = ""] = meta.split(" ");
      return { path, mode, type, sha };
    });

const same = (answer: unknown, sha: string): void => {
  if (at(answer, "sha") !== sha) throw new Error(`the emulator made ${at(answer, "sha")} of git's ${sha}`);
};
