/** When a run was, and how long the call took whose output is looked at (milliseconds). */
export type RunTimes = { from: number; to: number; ms: number };

/** Times may be rounded, and clocks of files be a little off. */
const SLACK_MS = 61_000;

/** What several processors have worked at once is longer than it took. */
const PARALLEL = 4;

/**
 * A program's output without the times of its run: durations that the call could have taken in either run, dates and
 * clock times between a run's begin and its call's end, and the dates of a long listing of files. Every other number stays. Both
 * runs are given for the text of either, so that what stands in both alike is hidden in both or in none.
 */
export const hideTimes = (text: string, runs: readonly RunTimes[]): string => {
  const longest = Math.max(...runs.map(({ ms }) => ms)) * PARALLEL + 100;
  return hideClocks(hideDates(hideListings(text), runs), runs).replace(DURATIONS, (match, ...groups) =>
    durationOf(groups) <= longest ? "<time>" : match,
  );
};

/** `ls -l` shows when files were written, which checking them out does anew. */
const hideListings = (text: string): string =>
  text.replace(
    /^([ \t]*[-dlbcps][-rwxsStT]{9}[.+@]? +\d+ \S+ +\S+ +[\d.,KMG]+ +)(?:[A-Z][a-z]{2} +\d{1,2} +(?:\d{2}:\d{2}|\d{4})|\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2}(?:\.\d+)?(?: [+-]\d{4})?)?)/gm,
    "$1<time>",
  );

const DATES = new RegExp(
  [
    /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z| ?[+-]\d{2}:?\d{2})?/,
    /(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (?: ?\d{1,2} )?(?:\d{4} )?\d{2}:\d{2}(?::\d{2})?(?: (?:UTC|GMT|[+-]\d{4}))?(?: \d{4})?/,
    /\d{4}-\d{2}-\d{2}/,
    /\b1\d{9}(?:\d{3}|\.\d+)?\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const hideDates = (text: string, runs: readonly RunTimes[]): string =>
  text.replace(DATES, (match) => {
    const read = readings(match);
    return runs.some((run) => read.some(within(run))) ? "<time>" : match;
  });

const within =
  ({ from, to }: RunTimes) =>
  (range: { from: number; to: number }): boolean =>
    range.to >= from - SLACK_MS && range.from <= to + SLACK_MS;

const DAY_MS = 86_400_000;

/** What a date may mean: a day, seconds or milliseconds since the epoch, or a time in its zone, here or in UTC. */
const readings = (text: string): { from: number; to: number }[] => {
  if (/^1\d{9}/.test(text)) {
    const number = Number(text);
    const ms = text.length === 13 && !text.includes(".") ? number : number * 1000;
    return [{ from: ms, to: ms }];
  }
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  return [text.replace(",", "."), `${text.replace(",", ".")}Z`, `${text} UTC`, text.replace(/,/g, "")]
    .map((each) => Date.parse(each))
    .filter((time) => !Number.isNaN(time))
    .map((time) => (day ? { from: time - DAY_MS / 2, to: time + 1.5 * DAY_MS } : { from: time, to: time }));
};

/** A clock time alone is one of the run when some moment of it had that time, here or in UTC. */
const hideClocks = (text: string, runs: readonly RunTimes[]): string =>
  text.replace(/\b([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:[.,]\d+)?\b/g, (match, hours, minutes, seconds) => {
    const clock = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    const isOf = (run: RunTimes): boolean =>
      offsets(run.from).some((offset) => {
        const midnight = Math.floor((run.from + offset) / DAY_MS) * DAY_MS - offset;
        return [midnight, midnight + DAY_MS].some((day) =>
          within(run)({ from: day + clock, to: day + clock }),
        );
      });
    return runs.some(isOf) ? "<time>" : match;
  });

/** Milliseconds from UTC to UTC, and to the time here. */
const offsets = (at: number): number[] => [0, -new Date(at).getTimezoneOffset() * 60_000];

/** `0m1.204s`; `1.2 s`, `31ms`; `duration_ms 46.1`, `"duration": 12`. */
const DURATIONS =
  /(?<![\w.])(\d+)m ?(\d+(?:\.\d+)?)s\b|(?<![\w.])(\d+(?:[.,]\d+)?) ?(ns|µs|μs|us|ms|milliseconds?|s|secs?|seconds?|mins?|minutes?)\b|(?<=\b(?:duration|elapsed)\w{0,20}["']?\s{0,9}[:=]?\s{0,9})(\d+(?:\.\d+)?)/g;

const UNIT_MS: Readonly<Record<string, number>> = { n: 1e-6, µ: 1e-3, μ: 1e-3, u: 1e-3 };

const durationOf = ([minutes, rest, number, unit, bare]: readonly (string | undefined)[]): number => {
  if (minutes !== undefined) return Number(minutes) * 60_000 + Number(rest) * 1000;
  if (bare !== undefined) return Number(bare);
  const value = Number((number ?? "").replace(",", "."));
  const name = unit ?? "";
  if (name.startsWith("ms") || name.startsWith("milli")) return value;
  if (name.startsWith("m")) return value * 60_000;
  return value * (UNIT_MS[name.charAt(0)] ?? 1000);
};
