import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Api, at } from "./api.ts";
import type { BareRepository } from "./bare-repository.ts";
import { git } from "./git.ts";
import { branchesOf, type Copier } from "./git-to-emulator.ts";

/** Brings to git what was made by the API: files edited on the web, merges, new branches. Names stay equal. */
export const emulatorToGit = (repository: BareRepository, api: Api): Copier => {
  const base = `/repos/${repository.fullName}/git`;
  const has = (sha: string): Promise<boolean> =>
    repository.git("cat-file", "-e", sha).then(
      () => true,
      () => false,
    );

  const copyBlob = async (sha: string): Promise<void> => {
    if (await has(sha)) return;
    const input = Buffer.from(String(at(await api("GET", `${base}/blobs/${sha}`), "content")), "base64");
    await git(["--git-dir", repository.directory, "hash-object", "-w", "--stdin"], { input });
  };

  const copyTree = async (sha: string): Promise<void> => {
    if (await has(sha)) return;
    const tree = at(await api("GET", `${base}/trees/${sha}?recursive=1`), "tree");
    const blobs = (Array.isArray(tree) ? tree : []).filter((entry) => at(entry, "type") !== "tree");
    for (const blob of blobs) await copyBlob(String(at(blob, "sha")));
    const env = { GIT_DIR: repository.directory, GIT_INDEX_FILE: join(repository.directory, "rig-index") };
    const lines = blobs.map((blob) => `${at(blob, "mode")} ${at(blob, "sha")}\t${at(blob, "path")}\0`);
    await git(["update-index", "-z", "--index-info"], { env, input: lines.join("") });
    await git(["write-tree"], { env });
    await rm(env.GIT_INDEX_FILE, { force: true });
  };

  const copyCommit = async (sha: string): Promise<void> => {
    if (await has(sha)) return;
    const commit = await api("GET", `${base}/commits/${sha}`);
    const parents = at(commit, "parents");
    const parentNames = (Array.isArray(parents) ? parents : []).map((parent) => String(at(parent, "sha")));
    for (const parent of parentNames) await copyCommit(parent);
    const tree = String(at(commit, "tree", "sha"));
    await copyTree(tree);
    const object = [
      `tree ${tree}`,
      ...parentNames.map((parent) => `parent ${parent}`),
      `author ${signature(at(commit, "author"))}`,
      `committer ${signature(at(commit, "committer"))}`,
      "",
      String(at(commit, "message")).replace(/(?<!\n)$/, "\n"),
    ];
    const write = ["--git-dir", repository.directory, "hash-object", "-t", "commit", "-w", "--stdin"];
    const made = await git(write, { input: object.join("\n") });
    if (made.trim() !== sha) throw new Error(`git made ${made.trim()} of the emulator's ${sha}`);
  };

  return async () => {
    const branches = await repository.branches();
    const there = await branchesOf(repository, api);
    for (const [name, sha] of there) {
      if (branches.get(name) === sha) continue;
      await copyCommit(sha);
      await repository.git("update-ref", `refs/heads/${name}`, sha);
    }
    for (const name of branches.keys()) {
      if (!there.has(name)) await repository.git("update-ref", "-d", `refs/heads/${name}`);
    }
  };
};

/** Name, address and time as commit objects hold them; the emulator keeps the offset of the date that it was given. */
const signature = (person: unknown): string => {
  const date = String(at(person, "date"));
  const [, sign = "+", hours = "00", minutes = "00"] = /([+-])(\d{2}):?(\d{2})$/.exec(date) ?? [];
  const seconds = Math.floor(Date.parse(date) / 1000);
  return `${at(person, "name")} <${at(person, "email")}> ${seconds} ${sign}${hours}${minutes}`;
};
