/** What came of one of the repository's setup commands. */
export type SetupResult = {
  command: string;
  ok: boolean;
  /** How it ended, for people: `exit code 1`. */
  ended: string;
  ms: number;
  /** Plain text. */
  output: string;
};

const OPENING = "The repository's setup commands were run in this new workspace, before anything else:";
const CLOSING =
  "They are not run again here. What a command that failed was to make ready may be missing: judge by what it says.";

/** Of a command's output, by whether it failed: lines, and characters of them. */
const SHOWN = { failed: { lines: 30, chars: 3_000 }, ok: { lines: 3, chars: 500 } } as const;

const MOST_FILES = 20;
const MAX_PATH_CHARS = 300;

/** What a role is told of the setup. `changed`: files that it made or changed and git does not ignore. */
export const setupText = (
  results: readonly SetupResult[],
  { changed }: { changed: readonly string[] },
): string =>
  [
    [OPENING, ...results.map(line)].join("\n"),
    ...results.flatMap((result, index) => endOf(result, index + 1)),
    ...changesText(changed),
    CLOSING,
  ].join("\n\n");

const changesText = (changed: readonly string[]): string[] => {
  if (changed.length === 0) return [];
  const more = changed.length > MOST_FILES ? [`and ${changed.length - MOST_FILES} more`] : [];
  const files = [...changed.slice(0, MOST_FILES).map((path) => path.slice(0, MAX_PATH_CHARS)), ...more];
  return [
    "They have made or changed these files, which are part of your work as long as they differ from the commit. Put back " +
      `(git restore) or remove those that do not belong to it:\n${files.map((path) => `- ${path}`).join("\n")}`,
  ];
};

const line = ({ command, ok, ended, ms }: SetupResult, index: number): string =>
  `${index + 1}. ${ok ? "ok" : "failed"}, ${ended}, ${(ms / 1000).toFixed(1)} s: ${JSON.stringify(command)}`;

const endOf = ({ ok, output }: SetupResult, number: number): string[] => {
  const { lines, chars } = SHOWN[ok ? "ok" : "failed"];
  const last = output.trim().split("\n").slice(-lines).join("\n").slice(-chars).toWellFormed();
  return last === "" ? [] : [`The end of the output of ${number}:\n\n${last.replace(/^/gm, "    ")}`];
};

/** The commands of such a text, and whether each succeeded; none in any other text. */
export const setupIn = (text: string): { command: string; ok: boolean }[] => {
  const [opening, ...lines] = text.split("\n\n", 1)[0]?.split("\n") ?? [];
  if (opening !== OPENING) return [];
  return lines.flatMap((each) => {
    const [, ended, command] = /^\d+\. (ok|failed), .*? s: (".*")$/.exec(each) ?? [];
    return command === undefined ? [] : [{ command: JSON.parse(command) as string, ok: ended === "ok" }];
  });
};
