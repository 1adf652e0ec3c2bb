import { describe, expect, it } from "vitest";
import { splitWords } from "../../../src/base/split-words.ts";

describe("splitWords", () => {
  it.each<[string, string[] | null]>([
    ["", []],
    ["  one   two\tthree\n", ["one", "two", "three"]],
    [`a "b c" 'd e'`, ["a", "b c", "d e"]],
    [`a"b c"'d'e`, ["ab cde"]],
    [`"" ''`, ["", ""]],
    [String.raw`a\ b "c\"d" 'e\f' "g\h"`, ["a b", 'c"d', String.raw`e\f`, String.raw`g\h`]],
    ["$HOME *.ts a|b", ["$HOME", "*.ts", "a|b"]],
    [`a "b`, null],
    ["it's", null],
    ["a\\", null],
  ])("reads %j as %j", (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });
});
