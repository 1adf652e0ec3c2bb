/** When a run was, and how long the call took whose output is looked at (milliseconds). */
export type RunTimes = { from: number; to: number; ms: number };

/** Times may be rounded, and clocks of files be a little off. */
const SLACK_MS = 61_000;

/** What several processors have worked at once is longer than it took. */
const PARALLEL = 4;

/**
 * A program's output without the times of its own run: durations that the call could have taken, dates and clock times
 * between the run's begin and the call's end, and the dates of a long listing of files. Every other number stays.
 */
export const hideTimes = (text: string, times: RunTimes): string =>
  hideClocks(hideDates(hideListings(text), times), times).replace(DURATIONS, (match, ...groups) =>
    durationOf(groups) <= times.ms * PARALLEL + 100 ? "<time>" : match,
  );

/** `ls -l` shows when files were written, which checking them out does anew. */
const hideListings = (text: string): string =>
  text.replace(
    /^(\s*[-dlbcps][-rwxsStT]{9}[.+@]? +\d+ \S+ +\S+ +[\d.,KMG]+ +)(?:[A-Z][a-z]{2} +\d{1,2} +(?:\d{2}:\d{2}|\d{4})|\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2}(?:\.\d+)?(?: [+-]\d{4})?)?)/gm,
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

const hideDates = (text: string, times: RunTimes): string =>
  text.replace(DATES, (match) => (readings(match).some(within(times)) ? "<time>" : match));

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
const hideClocks = (text: string, { from, to }: RunTimes): string =>
  text.replace(/\b([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:[.,]\d+)?\b/g, (match, hours, minutes, seconds) => {
    const clock = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    const offsets = [0, -new Date(from).getTimezoneOffset() * 60_000];
    const isOfRun = offsets.some((offset) => {
      const midnight = Math.floor((from + offset) / DAY_MS) * DAY_MS - offset;
      return [midnight, midnight + DAY_MS].some((day) =>
        within({ from, to, ms: 0 })({ from: day + clock, to: day + clock }),
      );
    });
    return isOfRun ? "<time>" : match;
  });

/** `0m1.204s`; `1.2 s`, `31ms`; `duration_ms 46.1`, `"duration": 12`. */
const DURATIONS =
  /(?<![\w.])(\d+)m ?(\d+(?:\.\d+)?)s\b|(?<![\w.])(\d+(?:[.,]\d+)?) ?(ns|µs|μs|us|ms|milliseconds?|s|secs?|seconds?|mins?|minutes?)\b|(?<=\b(?:duration|elapsed)\w*["']?\s*[:=]?\s*)(\d+(?:\.\d+)?)/g;

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
