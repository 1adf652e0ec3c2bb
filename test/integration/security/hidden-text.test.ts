import { describe, expect, it } from "vitest";
import { leftOutText } from "../../../src/forge/text/shown/left-out.ts";
import { shownMarkdown } from "../../../src/forge/text/shown/shown-text.ts";
import { issueInput } from "../../../src/intake/issue-input.ts";
import { hiddenTexts } from "../../fixtures/hidden-texts.ts";
import { seenText } from "../../fixtures/seen-words.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

const wordsIn = (text: string, kind: RegExp): string[] => [...new Set(text.match(kind) ?? [])].sort();
const SEEN = /SEEN\d+/g;
const HIDDEN = /HIDE\d+/g;
const UNDRAWN = /(?![\t\n])[\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\ufff9-\ufffb]|&#|&ZeroWidth|&shy/u;

const forge = { permission: async () => "none" as const };
const inputOf = async (body: string): Promise<string> =>
  (await issueInput(forge, { number: 1, title: "It fails", body, author: "eve", isPullRequest: false })).text;

describe.each(Object.entries(hiddenTexts))("text hidden by %s", (kind, texts) => {
  it.for(texts)("$name: a model reads what a person sees", async ({ text, by }, context) => {
    countAttempts(context, "hidden text");

    const input = await inputOf(text);
    const { leftOut } = await shownMarkdown(text);

    expect(wordsIn(input, SEEN)).toEqual(wordsIn(text, SEEN));
    expect(wordsIn(input, HIDDEN)).toEqual([]);
    if (by === "characters") expect(input).not.toMatch(UNDRAWN);
    if (kind === "shown") expect(leftOutText(leftOut)).toBe("");
  });

  // What a forge draws, and characters, HTML does not tell.
  it.for(texts.filter(({ by }) => by === undefined))(
    "$name: another reader of Markdown, and of HTML, sees the same",
    ({ text }) => {
      const page = seenText(text);

      expect(wordsIn(page, SEEN)).toEqual(wordsIn(text, SEEN));
      expect(wordsIn(page, HIDDEN)).toEqual([]);
    },
  );
});
