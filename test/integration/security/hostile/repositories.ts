/**
 * Repositories that somebody may point the bot at. `make` runs in a new repository with a commit of `a.txt`; `$P` is a
 * program that leaves a proof where it ran. Functions: `put <mode> <type> <object> <name>` writes a tree's entry for
 * `commit`, which makes the tree that comes on its input the branch's.
 */
export type HostileRepository = {
  name: string;
  make: string;
  /** What asking for it, or opening it, ends with; none: it is worked on like any other. */
  refused?: string;
  says?: RegExp;
  /** What a workspace on it says to a command. */
  shows?: readonly [command: string, output: string];
  warns?: RegExp;
};

export const IDENTITY =
  "export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@y GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@y";

export const FUNCTIONS = `
  B=$(git rev-parse HEAD:a.txt); H=$(git rev-parse HEAD)
  put() { printf '%s %s %s\\t%s\\0' "$1" "$2" "$3" "$4"; }
  commit() { T=$(git mktree -z --missing); git update-ref refs/heads/main $(git commit-tree $T -m x < /dev/null); }
  raw() { T=$(git hash-object -t tree --literally -w --stdin); git update-ref refs/heads/main $(git commit-tree $T -m x < /dev/null); }
  bytes() { printf "$(printf '%s' $1 | sed 's/../\\\\x&/g')"; }
`;

const A = "put 100644 blob $B a.txt";
const WORKS = ["cat a.txt", "a\n"] as const;

const named = (name: string, spelled: string): HostileRepository => ({
  name: `a folder ${name}`,
  make: `D=$(put 100644 blob $B config | git mktree -z); { ${A}; put 040000 tree $D ${spelled}; } | commit`,
  refused: "repository-unsupported",
  says: /which git refuses to check out/,
});
const odd = (name: string, spelled: string): HostileRepository => ({
  name: `a file ${name}`,
  make: `{ ${A}; put 100644 blob $B ${spelled}; } | commit`,
  shows: WORKS,
});
const rules = (
  name: string,
  attributes: string,
  [file, bytes, shown]: readonly [string, string, string] = ["dos.txt", "1\\r\\n", "1\\r\\n"],
): HostileRepository => ({
  name: `attributes: ${name}`,
  make: `printf '${attributes}\\n' > .gitattributes; printf '${bytes}' > ${file}; O=$(git hash-object -w --no-filters ${file}); R=$(git hash-object -w --no-filters .gitattributes); { put 100644 blob $R .gitattributes; ${A}; put 100644 blob $O ${file}; } | commit`,
  shows: [`cat a.txt; od -An -c ${file} | tr -d ' \\n' | head -c 40; git status --short`, `a\n${shown}`],
});

const names: readonly HostileRepository[] = [
  named("by the name of git's own", ".git"),
  named("by that name in another case", ".GIT"),
  named("by a short name", "git~1"),
  named("by a short name in capitals", "GIT~1"),
  named("with a space at its end", "'.git '"),
  named("with a dot at its end", ".git."),
  named("with an ignored character", "$'.g\\342\\200\\214it'"),
  named("with a stream", "'.git::$INDEX_ALLOCATION'"),
  named("above all others", ".."),
  named("that is its own", "."),
  named("with backslashes", "'a\\.git\\x'"),
  {
    name: "a file whose name has a slash",
    make: '{ printf "100644 .git/config\\0"; bytes $B; } | raw',
    refused: "repository-unsupported",
  },
  {
    name: "a file without a name",
    make: '{ printf "100644 \\0"; bytes $B; } | raw',
    refused: "repository-damaged",
  },
  {
    name: "one name twice",
    make: `O=$(echo other | git hash-object -w --stdin); { printf "100644 a.txt\\0"; bytes $B; printf "100644 a.txt\\0"; bytes $O; } | raw`,
    refused: "repository-unsupported",
  },
  {
    name: "a link that is a git directory",
    make: `L=$(printf real | git hash-object -w --stdin); { ${A}; put 120000 blob $L .git; } | commit`,
    refused: "repository-unsupported",
  },
  {
    name: "a submodule that is a git directory",
    make: `{ ${A}; put 160000 commit $H .git; } | commit`,
    refused: "repository-unsupported",
  },
  {
    name: "a link where submodules are listed",
    make: `L=$(printf a.txt | git hash-object -w --stdin); { put 120000 blob $L .gitmodules; ${A}; } | commit`,
    refused: "repository-unsupported",
  },
  { ...odd("in two cases", "A.TXT"), shows: ["ls | wc -l", "2\n"] },
  {
    name: "a name composed and decomposed",
    make: `{ ${A}; put 100644 blob $B $'e\\314\\201'; put 100644 blob $B $'\\303\\251'; } | commit`,
    shows: ["ls | wc -l", "3\n"],
  },
  odd("with a line end in its name", "$'b\\nc'"),
  odd("that looks like an option", "-rf"),
  odd("that looks like a pattern", "'*'"),
  odd("with control characters in its name", "$'b\\033[31m'"),
  odd("with quotes in its name", "$'b\"\\'$(touch x)`'"),
  odd("whose name is no text", "$'b\\377\\376'"),
  odd("with the longest name", "$(printf 'n%.0s' $(seq 255))"),
  {
    ...odd("with a longer name", "$(printf 'n%.0s' $(seq 256))"),
    refused: "repository-unsupported",
    says: /too long for a file system/,
  },
  {
    name: "folders 1,000 deep",
    make: `T=$(${A} | git mktree -z); for i in $(seq 1000); do T=$(put 040000 tree $T d | git mktree -z); done; { ${A}; put 040000 tree $T d; } | commit`,
    shows: WORKS,
  },
  {
    name: "folders deeper than any path",
    make: `T=$(${A} | git mktree -z); N=$(printf 'd%.0s' $(seq 200)); for i in $(seq 25); do T=$(put 040000 tree $T $N | git mktree -z); done; { ${A}; put 040000 tree $T d; } | commit`,
    refused: "repository-unsupported",
    says: /too long for a file system/,
  },
];

const sizes: readonly HostileRepository[] = [
  {
    name: "a million files in one folder",
    make: `seq -f 'n%.0f' 1000000 | sed "s/^/100644 blob $B\\t/" | git mktree --missing > ../t; git update-ref refs/heads/main $(git commit-tree $(cat ../t) -m x)`,
    refused: "repository-too-large",
    says: /more than 5,000 files/,
  },
  {
    name: "ten thousand million files in one kilobyte",
    make: `T=$(${A} | git mktree -z); for i in $(seq 10); do T=$(for n in 0 1 2 3 4 5 6 7 8 9; do put 040000 tree $T $n; done | git mktree -z); done; { ${A}; put 040000 tree $T d; } | commit`,
    refused: "repository-too-large",
    says: /more than 5,000 files/,
  },
  {
    name: "one file under many names",
    make: `O=$(head -c 1000000 /dev/zero | git hash-object -w --stdin); { ${A}; for n in $(seq 100 190); do put 100644 blob $O $n; done; } | commit`,
    refused: "repository-too-large",
    says: /more than 64 MiB together/,
  },
  {
    name: "a file of zeros",
    make: "truncate -s 100M zeros; git add zeros; git commit -qm x",
    refused: "repository-too-large",
  },
  {
    name: "more bytes than are fetched",
    make: "head -c 12M /dev/urandom > noise; git add noise; git commit -qm x",
    refused: "repository-too-large",
    says: /more than is fetched/,
  },
  {
    name: "a difference that unpacks to far more",
    make: "truncate -s 60M z; git add z; git commit -qm x; echo 1 >> z; git add z; git commit -qm y; git repack -adfq --depth=50",
    refused: "repository-too-large",
    says: /too much memory/,
  },
  {
    name: "a commit's message of 60 MB",
    make: `{ git cat-file -p HEAD; head -c 60M /dev/zero | tr '\\0' a; } | git hash-object -t commit -w --stdin > ../c; git update-ref refs/heads/main $(cat ../c)`,
    refused: "repository-too-large",
  },
];

const references: readonly HostileRepository[] = [
  {
    name: "100,000 branches",
    make: `{ echo '# pack-refs with: peeled fully-peeled sorted '; seq -f "$H refs/heads/b%06.0f" 100000; } > .git/packed-refs`,
    shows: ["git for-each-ref | wc -l", "2\n"],
  },
  {
    name: "100,000 tags",
    make: `{ echo '# pack-refs with: peeled fully-peeled sorted '; seq -f "$H refs/tags/t%06.0f" 100000; } > .git/packed-refs`,
    shows: ["git for-each-ref | wc -l", "2\n"],
  },
  {
    name: "a branch that looks like an option",
    make: "git update-ref refs/heads/--upload-pack=$P HEAD",
    shows: WORKS,
  },
  {
    name: "a default branch that looks like an option",
    make: "git update-ref refs/heads/--output=x HEAD; git symbolic-ref HEAD refs/heads/--output=x",
    shows: WORKS,
  },
  {
    name: "a default branch with odd characters",
    make: "git checkout -q -b \"$(printf 'feat/\\303\\274#&;$(x)')\"",
    shows: WORKS,
  },
  { name: "a branch called HEAD", make: "git update-ref refs/heads/HEAD HEAD", shows: WORKS },
  {
    name: "a branch called like a commit",
    make: "git update-ref refs/heads/$H $(git commit-tree HEAD^{tree} -m x)",
    shows: WORKS,
  },
  {
    name: "a branch called like a reference",
    make: "git update-ref refs/heads/refs/heads/main HEAD",
    shows: WORKS,
  },
  { name: "no commit", make: "git update-ref -d HEAD", refused: "repository-empty" },
  {
    name: "a default branch that is not there",
    make: "git branch other; git symbolic-ref HEAD refs/heads/none",
    refused: "branch-missing",
  },
  { name: "no default branch", make: "git checkout -q --detach", refused: "branch-missing" },
  {
    name: "a default branch that is a file",
    make: "git update-ref --no-deref HEAD $B 2> /dev/null || echo $B > .git/HEAD",
    refused: "branch-missing",
  },
  {
    name: "replaced objects",
    make: "git replace $B $(echo evil | git hash-object -w --stdin)",
    shows: ["cat a.txt; git show HEAD:a.txt; git for-each-ref refs/replace", "a\na\n"],
  },
  {
    name: "grafts",
    make: "git commit -q --allow-empty -m y; git rev-parse HEAD > .git/info/grafts",
    refused: "repository-damaged",
  },
];

const rulesOfItsOwn: readonly HostileRepository[] = [
  {
    ...rules("a filter", "* filter=x"),
    make: `git config filter.x.smudge $P; ${rules("", "* filter=x").make}`,
  },
  rules("an encoding that the file does not have", "* text working-tree-encoding=UTF-16"),
  rules("line ends", "* text eol=crlf", ["unix.txt", "1\\n", "1\\n"]),
  rules("markers", "* ident", ["id.txt", "$Id$\\n", "$Id$\\n"]),
  rules("an archive's markers", "* export-subst export-ignore", [
    "id.txt",
    "$Format:%%H$\\n",
    "$Format:%H$\\n",
  ]),
  rules("drivers", "* diff=x merge=x"),
  rules("a macro", "[attr]all filter=x text eol=crlf ident\\n* all"),
  {
    name: "attributes: 10 MB of them",
    make: "yes '* filter=x' | head -c 10M > .gitattributes; git add .gitattributes; git commit -qm x",
    refused: "repository-unsupported",
    says: /more than 8 MiB/,
  },
  {
    name: "other names for authors",
    make: "echo 'Evil <e@e> <x@y>' > .mailmap; git add .; git commit -qm x",
    shows: WORKS,
  },
  {
    name: "rules that ignore all",
    make: "echo '*' > .gitignore; git add -f .gitignore; git commit -qm x",
    shows: WORKS,
  },
];

const elsewhere: readonly HostileRepository[] = [
  {
    name: "a submodule",
    make: `{ ${A}; put 160000 commit $H vendor; } | commit`,
    shows: ["ls -A vendor", ""],
    warns: /submodules are not fetched/,
  },
  {
    name: "submodules with addresses that run programs",
    make: `printf '[submodule "a"]\\n path = vendor\\n url = ext::%s\\n update = !%s\\n[submodule "../../x"]\\n path = -u\\n url = -u%s\\n' $P $P $P > m; O=$(git hash-object -w m); { put 100644 blob $O .gitmodules; ${A}; put 160000 commit $H vendor; } | commit`,
    shows: WORKS,
    warns: /submodules are not fetched/,
  },
  {
    name: "files of Git LFS",
    make: `mkdir d; echo '*.bin filter=lfs diff=lfs merge=lfs -text' > d/.gitattributes; printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%064d\\nsize 9\\n' 0 > d/x.bin; git add .; git commit -qm x; printf '[lfs]\\nurl = http://host.invalid\\n' > .lfsconfig`,
    shows: ["head -c 7 d/x.bin", "version"],
    warns: /Git LFS are not fetched/,
  },
  {
    name: "links that lead out",
    make: "ln -s /etc/passwd p; ln -s ../../.. up; ln -s / root; git add .; git commit -qm x",
    shows: WORKS,
  },
  { name: "a link in a circle", make: "ln -s l l; git add .; git commit -qm x", shows: WORKS },
  {
    name: "objects that are somewhere else and not there",
    make: "echo /nowhere > .git/objects/info/alternates",
    shows: WORKS,
  },
  {
    name: "an object that is cut off",
    make: "F=.git/objects/$(echo $B | cut -c1-2)/$(echo $B | cut -c3-); chmod u+w $F; truncate -s 10 $F",
    refused: "repository-damaged",
  },
  {
    name: "an object that is not there",
    make: "rm -f .git/objects/$(echo $B | cut -c1-2)/$(echo $B | cut -c3-)",
    refused: "repository-damaged",
  },
  {
    name: "a part of its history",
    make: "git commit -q --allow-empty -m y; git clone -q --depth=1 file://$PWD ../part; rm -rf .git; mv ../part/.git .git",
    refused: "repository-shallow",
  },
  {
    name: "a program to pack with",
    make: "git config uploadpack.packObjectsHook $P; mkdir -p .git/hooks; cp $P .git/hooks/post-checkout",
    shows: WORKS,
  },
  { name: "a git directory behind a link", make: "mv .git ../real; ln -s ../real .git", shows: WORKS },
  {
    name: "a git directory behind a file",
    make: "mv .git ../real; echo 'gitdir: ../real' > .git",
    shows: WORKS,
  },
  {
    name: "noise in place of it",
    make: "rm -rf .git; head -c 999 /dev/urandom > .git",
    refused: "repository-damaged",
  },
  { name: "nothing in its place", make: "rm -rf .git", refused: "repository-missing" },
  { name: "settings that cannot be read", make: "echo '[core' > .git/config", refused: "repository-damaged" },
];

export const hostileRepositories: readonly HostileRepository[] = [
  ...names,
  ...sizes,
  ...references,
  ...rulesOfItsOwn,
  ...elsewhere,
];
