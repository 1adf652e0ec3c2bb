import { describe, expect, it } from "vitest";
import { numberOption, parseArguments } from "../../../src/cli/parse-arguments.ts";

const syntax = {
  arguments: { thread: { summary: "A thread." }, note: { summary: "A note.", optional: true, rest: true } },
  options: {
    json: { type: "boolean", summary: "JSON." },
    limit: { type: "string", value: "n", summary: "How many.", short: "n" },
  },
} as const;

const parse = (...args: string[]) => parseArguments("thread resume", syntax, args);

describe("parseArguments", () => {
  it("takes options anywhere and the rest as a list", () => {
    expect(parse("--json", "01J", "go", "-n", "3", "on")).toEqual({
      arguments: { thread: "01J", note: ["go", "on"] },
      options: { json: true, help: false, limit: "3" },
    });
  });

  it("takes an option that may be given again as a list", () => {
    const many = {
      arguments: {},
      options: { agent: { type: "string", value: "a", many: true, summary: "An agent." } },
    } as const;

    expect(parseArguments("solve", many, [])).toMatchObject({ options: { agent: [] } });
    expect(parseArguments("solve", many, ["--agent", "a", "--agent=b=c"])).toMatchObject({
      options: { agent: ["a", "b=c"] },
    });
  });

  it("takes everything after -- as arguments", () => {
    expect(parse("01J", "--", "--json")).toMatchObject({
      arguments: { note: ["--json"] },
      options: { json: false },
    });
  });

  it("leaves out what was not given", () => {
    expect(parse("01J")).toEqual({
      arguments: { thread: "01J", note: [] },
      options: { json: false, help: false },
    });
  });

  it.each([["--help"], ["-h"]])("asks for help with %s, whatever else is missing", (option) => {
    expect(parse(option)).toBe("help");
  });

  it.each([
    [["01J", "--jsn"], '"uwf thread resume" has no option --jsn; did you mean "--json"?'],
    [["01J", "-x"], '"uwf thread resume" has no option -x'],
    [["01J", "--constructor"], '"uwf thread resume" has no option --constructor'],
    [["01J", "--json=1"], "option --json takes no value"],
    [["01J", "--limit"], "option --limit needs a value: --limit <n>"],
    [["01J", "--limit", "--json"], "option --limit needs a value: --limit <n>"],
    [[], '"uwf thread resume" needs <thread>: a thread'],
  ])("refuses %j", (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it("refuses an argument too many", () => {
    const none = { ...syntax, arguments: {} };

    expect(() => parseArguments("cas verify", none, ["x"])).toThrow(
      '"uwf cas verify" does not take the argument "x"',
    );
  });
});

describe("numberOption", () => {
  const options = { name: "thread list", option: "limit", min: 1, whole: true } as const;

  it("reads a number", () => {
    expect(numberOption("20", options)).toBe(20);
  });

  it.each(["", "x", "0", "1.5", "-1", "Infinity", "1e400"])("refuses %j", (text) => {
    expect(() => numberOption(text, options)).toThrow("option --limit must be a whole number of 1 or more");
  });
});
