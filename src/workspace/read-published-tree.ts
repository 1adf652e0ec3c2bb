import { bugError } from "../base/errors.ts";
import { ownTurn } from "../base/turns.ts";
import type { EngineGit } from "./engine-git.ts";
import type { PublishedTree, TreeLinks } from "./published-tree.ts";
import { diffTrees } from "./tree.ts";

type At = { git: EngineGit; gitDir: string };

const LINK = "120000";
const SUBMODULE = "160000";
/** No system has longer paths; what is longer leads nowhere. */
const LONGEST_TARGET = 4096;
/** Attributes that change bytes on their way out of the repository, or hide changes from who reads them. */
const TELLING = [
  ...["filter", "ident", "working-tree-encoding", "export-subst", "export-ignore"],
  ...["diff", "merge", "linguist-generated"],
];

/** `before` and `after` name trees or commits. */
export const readPublishedTree = async (
  at: At,
  { before, after }: { before: string; after: string },
): Promise<PublishedTree> => {
  const [from, to] = [`${before}^{tree}`, `${after}^{tree}`];
  const changes = await diffTrees(at.git, { gitDir: at.gitDir, from, to });
  return {
    changes,
    before: await linksIn(at, from),
    after: await linksIn(at, to),
    ruledOtherwise: async (matters) => {
      if (!changes.some(({ path }) => /(^|\/)\.gitattributes$/i.test(path))) return [];
      const turn = ownTurn();
      const paths: string[] = [];
      for (const { path } of await listed(at, to)) {
        if (turn.isOver()) await turn.next();
        if (matters(path)) paths.push(path);
      }
      const [old, now] = [await attributesOf(at, from, paths), await attributesOf(at, to, paths)];
      return paths.filter((_, index) => old[index] !== now[index]);
    },
    bytes: (object) => at.git.bytes({ args: ["cat-file", "blob", object], gitDir: at.gitDir }),
  };
};

type Listed = { mode: string; object: string; path: string };

const listed = async ({ git, gitDir }: At, tree: string, modes?: ReadonlySet<string>): Promise<Listed[]> => {
  const args = ["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", tree];
  const output = await git.bytes({ args, gitDir });
  const found: Listed[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    const mode = output.toString("latin1", start, start + LINK.length);
    if (modes === undefined || modes.has(mode)) {
      const line = output.toString("utf8", start, end);
      const tab = line.indexOf("\t");
      found.push({ mode, object: line.slice(0, tab).split(" ")[2] ?? "", path: line.slice(tab + 1) });
    }
    start = end + 1;
  }
  return found;
};

const linksIn = async (at: At, tree: string): Promise<TreeLinks> => {
  const all = await listed(at, tree, new Set([LINK, SUBMODULE]));
  const links = all.filter(({ mode }) => mode === LINK);
  const targets = await targetsOf(
    at,
    links.map(({ object }) => object),
  );
  return {
    links: links.flatMap(({ path, object }) => {
      const target = targets.get(object);
      return target === undefined ? [] : [{ path, target }];
    }),
    submodules: all.filter(({ mode }) => mode === SUBMODULE).map(({ path }) => path),
  };
};

/** What links say, by their objects; without those that are too long to lead anywhere. */
const targetsOf = async ({ git, gitDir }: At, objects: readonly string[]): Promise<Map<string, string>> => {
  const targets = new Map<string, string>();
  if (objects.length === 0) return targets;
  const unique = [...new Set(objects)];
  const check = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const sizes = (await git.text({ args: check, gitDir, stdin: `${unique.join("\n")}\n` })).split("\n");
  const short = sizes.map((line) => line.split(" ")).filter(([, size]) => Number(size) <= LONGEST_TARGET);
  const stdin = short.map(([object]) => `${object}\n`).join("");
  const output = await git.bytes({ args: ["cat-file", "--batch=%(objectsize)"], gitDir, stdin });
  let at = 0;
  for (const [object = ""] of short) {
    const line = output.indexOf("\n", at);
    const size = Number(output.toString("latin1", at, line));
    if (!Number.isInteger(size)) throw bugError(`git cat-file said ${output.toString("latin1", at, line)}`);
    targets.set(object, output.toString("utf8", line + 1, line + 1 + size));
    at = line + 1 + size + 1;
  }
  return targets;
};

/** One text per path, in their order: all that the tree's rules say of it. */
const attributesOf = async (
  { git, gitDir }: At,
  tree: string,
  paths: readonly string[],
): Promise<string[]> => {
  if (paths.length === 0) return [];
  const index = `${gitDir}/index.attributes`;
  await git.text({ args: ["read-tree", tree], gitDir, index });
  const args = ["check-attr", "--cached", "-z", "--stdin", ...TELLING];
  const stdin = paths.map((path) => `${path}\0`).join("");
  const fields = (await git.bytes({ args, gitDir, index, stdin })).toString("utf8").split("\0");
  const perPath = 3 * TELLING.length;
  return paths.map((_, at) => fields.slice(at * perPath, (at + 1) * perPath).join("\0"));
};
