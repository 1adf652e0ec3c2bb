/**
 * What a role can leave in its workspace. `$P` is a program that leaves a proof where it ran, `$S` a directory outside with
 * a file `secret` and a repository `private`, `$R` where plain git pushes to.
 */
export type GitState = {
  name: string;
  leave: string;
  /** How plain git in the workspace fares: it runs the program, publishes something else than there is, or comes to no end. */
  falls: "runs" | "differs" | "fails";
  /** What plain git is asked to do; default: add, commit and push all. For `differs` by itself: exits 0 when it is fooled. */
  plain?: string;
  /** What the engine leaves out, because it may not leave the workspace. */
  leftOut?: readonly string[];
};

const GIT = "git -c user.name=x -c user.email=x@y";
/** A role's own repository takes files byte for byte until the role says otherwise. */
const UNRULED = "rm .git/info/attributes";
export const PUBLISH = `git add -A && ${GIT} commit -qm x && git push -q -f "$R" HEAD:refs/heads/plain`;

const hook = (name: string, plain = PUBLISH): GitState => ({
  name: `a hook ${name}`,
  leave: `mkdir -p .git/hooks; cp $P .git/hooks/${name}`,
  falls: "runs",
  plain,
});
const setting = (key: string, value: string, plain = PUBLISH, more = ""): GitState => ({
  name: `${key}`,
  leave: `git config ${key} ${value}; ${more}`,
  falls: "runs",
  plain,
});
const driver = (key: string, value: string, plain = PUBLISH): GitState => ({
  name: `${key}, by an attribute`,
  leave: `${UNRULED}; git config ${key} ${value}; echo '* filter=x diff=x merge=x' > .gitattributes`,
  falls: "runs",
  plain,
});
const runs = (name: string, leave: string, plain = PUBLISH): GitState => ({
  name,
  leave,
  falls: "runs",
  plain,
});
const differs = (name: string, leave: string, more: Partial<GitState> = {}): GitState => ({
  name,
  leave,
  falls: "differs",
  ...more,
});
const fails = (name: string, leave: string, more: Partial<GitState> = {}): GitState => ({
  name,
  leave,
  falls: "fails",
  ...more,
});

const SOCKET =
  'node -e \'require("net").createServer().listen("s", () => process.kill(process.pid, 9))\'; test -S s';

const programs: readonly GitState[] = [
  hook("pre-commit"),
  hook("prepare-commit-msg"),
  hook("commit-msg"),
  hook("post-commit"),
  hook("post-index-change"),
  hook("reference-transaction"),
  hook("pre-push"),
  hook("post-checkout", "git checkout -q -b other"),
  hook("post-merge", `${GIT} commit -qam x; git checkout -q -b o HEAD~1; git merge -q work`),
  hook("post-rewrite", `${GIT} commit -q --amend -m x`),
  hook(
    "applypatch-msg",
    `git checkout -q a.txt; git format-patch -1 --stdout > ../p; git reset -q --hard HEAD~1; ${GIT} am -q ../p`,
  ),
  setting("core.hooksPath", '"$PWD/h"', PUBLISH, "mkdir h; cp $P h/pre-commit"),
  setting("core.fsmonitor", "$P"),
  setting("core.editor", "$P", `${GIT} commit -q --amend`),
  setting("sequence.editor", "$P", `git checkout -q a.txt; ${GIT} rebase -q -i HEAD~1`),
  setting("core.pager", "$P", 'script -qec "git log" /dev/null'),
  setting("core.sshCommand", "$P", "git push ssh://host.invalid/x HEAD:x"),
  setting("core.gitProxy", "$P", "git ls-remote git://host.invalid/x"),
  setting("core.askPass", "$P", "printf 'protocol=https\\nhost=x\\n\\n' | git credential fill"),
  setting("credential.helper", "$P", "printf 'protocol=https\\nhost=x\\n\\n' | git credential fill"),
  setting("gpg.program", "$P", PUBLISH, "git config commit.gpgSign true"),
  setting(
    "gpg.ssh.program",
    "$P",
    PUBLISH,
    "git config gpg.format ssh; git config commit.gpgSign true; git config user.signingKey key::x",
  ),
  setting("diff.external", "$P", "git diff"),
  setting("trailer.x.command", "$P", `git add -A; ${GIT} commit -qm x --trailer x=1`),
  setting("difftool.x.cmd", "$P", "git difftool -y -t x"),
  setting("alias.publish", "'!$P'", "git publish"),
  setting("remote.origin.receivepack", "$P", "git push origin HEAD:x", 'git config remote.origin.url "$R"'),
  setting("remote.origin.uploadpack", "$P", "git fetch origin", 'git config remote.origin.url "$R"'),
  setting("remote.origin.url", '"ext::$P"', "git fetch origin", "git config protocol.ext.allow always"),
  runs("url.insteadOf", 'git config url."ext::$P ".insteadOf "$R"; git config protocol.ext.allow always'),
  runs(
    "url.pushInsteadOf",
    'git config url."ext::$P ".pushInsteadOf "$R"; git config protocol.ext.allow always',
  ),
  runs(
    "a partial clone's promisor",
    'git config extensions.partialClone p; git config core.repositoryFormatVersion 1; git config remote.p.promisor true; git config remote.p.url "ext::$P"; git config protocol.ext.allow always',
    `git cat-file -p ${"1".repeat(40)}`,
  ),
  driver("filter.x.clean", "$P"),
  driver("filter.x.smudge", "$P", "rm b.txt; git checkout -q b.txt"),
  driver("filter.x.process", "$P"),
  driver("diff.x.textconv", "$P", "git diff"),
  driver("diff.x.command", "$P", "git diff"),
  driver(
    "merge.x.driver",
    "$P",
    `${GIT} commit -qam x; git checkout -q -b o HEAD~1; echo o > a.txt; ${GIT} commit -qam o; ${GIT} merge -q work`,
  ),
  runs(
    "a filter by the repository's own attributes",
    "git config filter.x.clean $P; echo '* filter=x' > .git/info/attributes",
  ),
  runs(
    "a filter by a macro",
    "rm .git/info/attributes; git config filter.x.clean $P; printf '[attr]m filter=x\\n*.txt m\\n' > .gitattributes",
  ),
  runs(
    "a filter that is said to be LFS",
    "rm .git/info/attributes; git config filter.lfs.clean $P; printf '*.txt filter=lfs diff=lfs merge=lfs -text\\n' > .gitattributes; printf '[lfs]\\nurl = http://host.invalid\\n' > .lfsconfig",
  ),
  runs("an included file", 'printf "[core]\\nfsmonitor = $P\\n" > inc; git config include.path "$PWD/inc"'),
  runs(
    "a file that is included for this directory",
    'printf "[core]\\nfsmonitor = $P\\n" > inc; git config "includeIf.gitdir:**.path" "$PWD/inc"',
  ),
  runs(
    "a work tree's own settings",
    'git config extensions.worktreeConfig true; git config core.repositoryFormatVersion 1; printf "[core]\\nfsmonitor = $P\\n" > .git/config.worktree',
  ),
  runs(
    "settings where a home would be",
    'printf "[core]\\nfsmonitor = $P\\n" > .gitconfig',
    `HOME="$PWD"; ${PUBLISH}`,
  ),
  runs(
    "a nested repository that is a submodule",
    "git init -q n; cd n; echo 1 > f; git add f; git -c user.name=x -c user.email=x@y commit -qm x; git config core.fsmonitor $P; cd ..; git add n 2> /dev/null; git reset -q",
    "git add -A; git status",
  ),
  runs(
    "a git directory behind a file",
    'mv .git g; git --git-dir=g config core.fsmonitor $P; echo "gitdir: g" > .git',
  ),
  runs(
    "a git directory behind a link",
    "mv .git real; git --git-dir=real --work-tree=. config core.fsmonitor $P; ln -s real .git",
  ),
  runs(
    "a common directory elsewhere",
    "mkdir c; cp -r .git c/; git --git-dir=c/.git config core.fsmonitor $P; echo ../c/.git > .git/commondir",
  ),
  runs(
    "another work tree",
    "git worktree add -q w; cd w; git config core.fsmonitor $P; cd ..",
    "cd w; git status",
  ),
];

const lies: readonly GitState[] = [
  differs("a file said to be unchanged", "git update-index --assume-unchanged a.txt; echo other > a.txt"),
  differs("a file said to be elsewhere", "git update-index --skip-worktree a.txt; echo other > a.txt"),
  differs(
    "a sparse checkout",
    "git config core.sparseCheckout true; echo '/b.txt' > .git/info/sparse-checkout; git read-tree -mu HEAD; mkdir -p d; echo 1 > a.txt; echo 2 > d/n",
  ),
  differs("rules beside the repository", "echo new >> .git/info/exclude; echo 1 > new"),
  differs("rules elsewhere", "echo new > .git/rules; git config core.excludesFile .git/rules; echo 1 > new"),
  differs("modes that do not count", "git config core.fileMode false; chmod +x b.txt"),
  differs("cases that do not count", "git config core.ignoreCase true; echo 1 > B.TXT"),
  differs(
    "line ends that change",
    "rm .git/info/attributes; git config core.autocrlf input; printf '1\\r\\n' > dos",
  ),
  differs(
    "line ends by the repository's own attributes",
    "echo '* text eol=lf' > .git/info/attributes; printf '1\\r\\n' > dos",
  ),
  differs(
    "an encoding by attributes",
    "rm .git/info/attributes; echo '*.u text working-tree-encoding=UTF-16LE' > .gitattributes; printf '1\\0002\\000' > x.u",
  ),
  differs(
    "a marker by attributes",
    "rm .git/info/attributes; echo '* ident' > .gitattributes; printf '$Id: mine $\\n' > x",
  ),
  differs("a work tree elsewhere", 'git config core.worktree "$S"'),
  differs(
    "a monitor that says that nothing changed",
    "printf '#!/bin/sh\\nprintf \"t\\\\0\"\\n' > .git/m; chmod +x .git/m; git config core.fsmonitor .git/m; git update-index --fsmonitor; git status -s > .git/x; echo later > b.txt",
  ),
  differs(
    "an index that has a file which is not there",
    "git update-index --add --cacheinfo 100644,$(git hash-object -w a.txt),ghost",
    { plain: `${GIT} commit -qm x; git push -q -f "$R" HEAD:refs/heads/plain` },
  ),
  differs(
    "another repository's objects, by alternates",
    'echo "$S/private/.git/objects" >> .git/objects/info/alternates; git update-index --add --cacheinfo 100644,$(git -C "$S/private" rev-parse HEAD:secret),stolen',
    { plain: `${GIT} commit -qm x; git push -q -f "$R" HEAD:refs/heads/plain` },
  ),
  differs(
    "another repository's objects, by a link",
    'cp -r .git/objects .git/o2; O=$(git rev-parse HEAD); mkdir -p .git/objects/link; ln -s "$S/private/.git/objects"/?? .git/objects/ 2> /dev/null; git update-index --add --cacheinfo 100644,$(git -C "$S/private" rev-parse HEAD:secret),stolen',
    { plain: `${GIT} commit -qm x; git push -q -f "$R" HEAD:refs/heads/plain` },
  ),
  differs(
    "a replaced object",
    "git replace $(git rev-parse HEAD:b.txt) $(echo evil | git hash-object -w --stdin)",
    { plain: "git show HEAD:b.txt | grep -q evil" },
  ),
  differs("a replaced commit", "git replace HEAD HEAD~1", { plain: "test $(git rev-list --count HEAD) = 1" }),
  differs("grafts", "git rev-parse HEAD > .git/info/grafts", {
    plain: "test $(git rev-list --count HEAD) = 1",
  }),
  differs("a history cut short", "git rev-parse HEAD > .git/shallow", {
    plain: "test $(git rev-list --count HEAD) = 1",
  }),
  differs(
    "a branch of the name of a commit",
    "git update-ref refs/heads/$(git rev-parse HEAD) HEAD~1; git symbolic-ref HEAD refs/heads/evil",
    { plain: `git add -A && ${GIT} commit -qm x && test $(git rev-list --count HEAD) = 1` },
  ),
  differs(
    "packed branches of its own",
    'printf "# pack-refs with: peeled fully-peeled sorted\\n$(git rev-parse HEAD~1) refs/heads/work\\n" > .git/packed-refs',
    { plain: `test $(git rev-list --count work) = 1` },
  ),
  differs("a link to a file outside", 'ln -s "$S/secret" out', { leftOut: ["out"] }),
  differs("a link to a folder outside", 'ln -s "$S" d', { leftOut: ["d"] }),
  differs("a link that climbs out", "mkdir d; ln -s ../../../state.json d/up", { leftOut: ["d/up"] }),
  differs("a link to what a process knows", "ln -s /proc/self/environ env", { leftOut: ["env"] }),
  differs("a link into the git directory", "ln -s .git/config settings", { leftOut: ["settings"] }),
  differs("a folder that became a link outside", 'rm -r src; ln -s "$S" src', { leftOut: ["src"] }),
  differs("a folder that was moved into the git directory", "mv src .git/src; ln -s .git/src src", {
    leftOut: ["src"],
  }),
  differs(
    "a git directory by an ignored character",
    "mkdir $'.g\\342\\200\\214it'; echo 1 > $'.g\\342\\200\\214it/config'",
    {
      leftOut: [".g\u200cit/config"],
    },
  ),
  differs("a nested repository", `git init -q n; cd n; echo 1 > f; git add f; ${GIT} commit -qm x`),
  differs(
    "a repository of another's making below a name like it",
    `mkdir -p n/deep; git init -q n/deep; cd n/deep; echo 1 > f; git add f; ${GIT} commit -qm x`,
  ),
  differs("a program with another's rights", "cp /bin/true s; chmod 6755 s; git config core.fileMode false"),
];

const obstacles: readonly GitState[] = [
  fails("a lock on the index", "touch .git/index.lock"),
  fails("a lock on the branch", "touch .git/refs/heads/work.lock .git/HEAD.lock"),
  fails("an index of noise", "head -c 1000 /dev/urandom > .git/index"),
  fails("an index of 3 GB", "truncate -s 3G .git/index"),
  fails("an index that is a link to a device", "rm .git/index; ln -s /dev/zero .git/index", {
    plain: `timeout -s KILL 2 git status`,
  }),
  fails("an index that is a pipe", "rm .git/index; mkfifo .git/index"),
  fails("a HEAD that is a pipe", "rm .git/HEAD; mkfifo .git/HEAD"),
  fails("a HEAD that climbs", "echo 'ref: refs/heads/../../../../x' > .git/HEAD"),
  fails("settings that are a pipe", "rm .git/config; mkfifo .git/config"),
  fails("settings that cannot be read", "echo '[core' > .git/config"),
  fails("a repository of a later version", "git config core.repositoryFormatVersion 99"),
  fails(
    "an extension that nobody knows",
    "git config core.repositoryFormatVersion 1; git config extensions.unheard true",
  ),
  fails(
    "references in another form",
    "git config core.repositoryFormatVersion 1; git config extensions.refStorage reftable; mkdir .git/reftable; head -c 99 /dev/urandom > .git/reftable/tables.list",
  ),
  fails(
    "objects of another hash",
    "git config core.repositoryFormatVersion 1; git config extensions.objectFormat sha256",
  ),
  fails("a bare repository", "git config core.bare true"),
  fails("no git directory", "rm -rf .git"),
  fails("an empty git directory", "rm -rf .git; mkdir .git"),
  fails("a git directory that is a pipe", "rm -rf .git; mkfifo .git"),
  fails("a git directory that leads nowhere", "rm -rf .git; echo 'gitdir: /nowhere' > .git"),
  fails("no objects", "rm -rf .git/objects; mkdir -p .git/objects/info"),
  fails("alternates in a circle", 'echo "$PWD/.git/objects" > .git/objects/info/alternates'),
  fails("another owner", "chown -R 12345 .git 2> /dev/null || rm -rf .git"),
  fails("ignore rules that are a pipe", "mkfifo .gitignore", { leftOut: [".gitignore"] }),
  fails("attributes that are a pipe", "mkfifo .gitattributes; touch b.txt", { leftOut: [".gitattributes"] }),
  fails(
    "a nested repository whose HEAD is a pipe",
    "mkdir -p n/.git/objects n/.git/refs; mkfifo n/.git/HEAD; echo 1 > n/f",
  ),
  fails("a git directory in another case", "mkdir .GIT; echo 1 > .GIT/config", { leftOut: [".GIT/config"] }),
  fails("a git directory by a short name", "mkdir git~1; echo 1 > git~1/config", {
    leftOut: ["git~1/config"],
  }),
  fails("a git directory with a space", "mkdir '.git '; echo 1 > '.git /config'", {
    leftOut: [".git /config"],
  }),
  fails(
    "a git directory's stream",
    "mkdir '.git::$INDEX_ALLOCATION'; echo 1 > '.git::$INDEX_ALLOCATION/config'",
    { leftOut: [".git::$INDEX_ALLOCATION/config"] },
  ),
  fails("a link where submodules are listed", "ln -s a.txt .gitmodules", { leftOut: [".gitmodules"] }),
  fails(
    "a program for submodules",
    "printf '[submodule \"s\"]\\npath = s\\nurl = ./s\\nupdate = !$P\\n' > .gitmodules; git config -f .gitmodules submodule.s.path s; git config submodule.s.url x; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),s",
    { plain: "git submodule update" },
  ),
];

/** What is no file, or too much of one: whoever copies the workspace by its names waits for ever, or fills the disk. */
const oddFiles: readonly GitState[] = [
  fails("a pipe", "mkfifo f", { plain: "cat f", leftOut: ["f"] }),
  fails("a socket", SOCKET, { plain: "cat s", leftOut: ["s"] }),
  fails("a device", "mknod d c 1 5 2> /dev/null || mkfifo d", { plain: "cat d > /dev/null", leftOut: ["d"] }),
  fails("names that are no text", "echo 1 > $'\\377\\376'", {
    plain: "node -e 'fs.readFileSync(fs.readdirSync(\".\").at(-1))'",
    leftOut: ["\ufffd\ufffd"],
  }),
];

export const gitStates: readonly GitState[] = [...programs, ...lies, ...obstacles, ...oddFiles];
