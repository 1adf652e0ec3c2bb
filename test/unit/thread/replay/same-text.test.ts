import { describe, expect, it } from "vitest";
import { comparable } from "../../../../src/thread/replay/same-text.ts";

const at = Date.UTC(2026, 10, 21, 12, 30, 15);
const later = Date.UTC(2026, 11, 24, 7, 5, 59);
/** A call of two seconds in a run of ten minutes. */
const times = (to: number) => ({ from: to - 600_000, to, ms: 2_000 });
const runs = [times(at), times(later)];
const program = (text: string) => comparable(text, { writer: "program", runs });

describe("what necessarily differs between two runs", () => {
  it.each([
    ["the ending of a command", "[exit code 0, 1.2 s]", "[exit code 0, 0.4 s]"],
    [
      "a test runner's durations",
      "✔ adds (0.91ms)\nℹ duration_ms 51.7",
      "✔ adds (1.3ms)\nℹ duration_ms 48.2",
    ],
    ["durations of others", "Time: 0.5 s, 31ms, 2 seconds", "Time: 1.5 s, 7ms, 1 seconds"],
    ["durations in JSON", '{"duration": 12.5}', '{"duration": 9}'],
    ["what `time` prints", "real\t0m1.204s", "real\t0m0.973s"],
    ["a time", "2026-11-21T12:30:14.123Z", "2026-12-24T07:05:58.9Z"],
    ["a date as `date` prints it", "Sat Nov 21 12:30:14 UTC 2026", "Thu Dec 24 07:05:58 UTC 2026"],
    ["a day", "built on 2026-11-21", "built on 2026-12-24"],
    ["seconds since the epoch", `${at / 1000 - 1}`, `${later / 1000 - 1}`],
    ["milliseconds since the epoch", `t=${at - 1000}`, `t=${later - 1000}`],
    ["a long listing", "-rw-r--r-- 1 u g 12 Nov 21 12:29 a", "-rw-r--r-- 1 u g 12 Mar  1  2020 a"],
    ["temporary names", "/tmp/tmp.Ab3dEf9hIj /tmp/x-a1B2c3/y", "/tmp/tmp.000dEf9hIj /tmp/x-Zz9Yy8/y"],
    ["process ids", "(node:4711) Warning", "(node:12) Warning"],
    ["a commit that was made just then", "[work 1a2b3c4] Add it", "[work 99aabbc] Add it"],
    [
      "the workspace's directory",
      "/root/.uwf/workspaces/01JD3Q8M5TABCDEFGHJKMNPQRS/workspace/a",
      "/other/workspaces/7ZZZZZZZZZZZZZZZZZZZZZZZZZ/workspace/a",
    ],
  ])("is no difference: %s", (_what, recorded, now) => {
    expect(program(recorded)).toBe(program(now));
  });
});

it("takes what stands in both texts alike for the same, however long each run took", () => {
  const slowAndQuick = [
    { ...times(at), ms: 400 },
    { ...times(later), ms: 1 },
  ];
  const seen = (text: string) => comparable(text, { writer: "program", runs: slowAndQuick });

  expect(seen("ok 500ms, took 390 ms")).toBe(seen("ok 500ms, took 2 ms"));
});

describe("what is a result", () => {
  it.each([
    ["a number", "3 tests failed", "4 tests failed"],
    ["an exit code", "[exit code 0, 1.2 s]", "[exit code 1, 1.2 s]"],
    ["a duration that the command did not take", "timeout: 30s", "timeout: 60s"],
    [
      "one that is a limit, beside one that was taken",
      "timeout 600000 ms, took 3 ms",
      "timeout 300000 ms, took 3 ms",
    ],
    ["a date of another time", "released 2019-03-01", "released 2019-04-01"],
    ["a time of another time", "2019-03-01T10:00:00Z", "2019-03-01T11:00:00Z"],
    ["a clock time that the run did not have", "opens at 03:00:00", "opens at 05:00:00"],
    ["a large number", "1000000007", "1000000009"],
    ["a size in a listing", "-rw-r--r-- 1 u g 12 Nov 21 12:29 a", "-rw-r--r-- 1 u g 13 Nov 21 12:29 a"],
    ["a version", "v1.2.3", "v1.2.4"],
    ["a name below /tmp that somebody chose", "/tmp/output", "/tmp/result"],
    ["a digest", "9f86d081884c7d65 a.txt", "60303ae22b998861 a.txt"],
  ])("is compared: %s", (_what, recorded, now) => {
    expect(program(recorded)).not.toBe(program(now));
  });

  it("is everything in what the engine's own tools answer, but the workspace's directory", () => {
    const engine = (text: string) => comparable(text, { writer: "engine", runs });

    expect(engine("1\tdelay 5 ms")).toBe("1\tdelay 5 ms");
    expect(engine("at 12:30:14")).toBe("at 12:30:14");
  });
});
