import { execFileSync } from "node:child_process";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { beforeEach, describe, expect, it } from "vitest";
import type { Hash, ThreadId } from "../../../src/base/ids.ts";
import { liveComment } from "../../../src/forge/text/live-comment.ts";
import { neutralize, neutralizeLine } from "../../../src/forge/text/neutralize.ts";
import { pullRequestBody } from "../../../src/forge/text/pull-request-body.ts";
import { outgoingTexts } from "../../fixtures/outgoing-texts.ts";
import { expectSafe } from "../../fixtures/safe-markdown.ts";
import { rendered } from "../../fixtures/seen-words.ts";
import { exampleView, roleView } from "../../fixtures/thread-views.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

const thread = "01M7XDZAYQBH3ZGNTHQM0BYJQ2" as ThreadId;

/** Wherever the bot publishes what a model has written: the text, its summaries and its marks. */
const published = (text: string) => [
  {
    where: "a summary",
    boxes: 1,
    marks: 1,
    body: liveComment(view({ roles: [roleView("a", { state: "done", summary: text, ms: 1 })] })),
  },
  {
    where: "a question",
    boxes: 0,
    marks: 1,
    body: liveComment(view({ state: "suspended", awaits: { kind: "answer", question: text } })),
  },
  {
    where: "a reason",
    boxes: 0,
    marks: 1,
    body: liveComment(view({ state: "failed", reason: text, workflow: text, roles: [] })),
  },
  { where: "a pull request", boxes: 1, marks: 0, body: pullRequest(text) },
  { where: "a review's answer", boxes: 0, marks: 0, body: neutralize(text) },
  { where: "a title", boxes: 0, marks: 0, body: neutralizeLine(text) },
];

const view = (change: Parameters<typeof exampleView>[0]) => exampleView({ roles: [], ...change });

const pullRequest = (body: string): string =>
  pullRequestBody({
    ...{ body, partial: body, issue: null },
    receipt: {
      thread,
      workflow: { name: body, hash: "A".repeat(52) as Hash },
      roles: [{ role: body, model: body, prompt: "B".repeat(52) as Hash }],
      commands: [{ command: body, ok: true, ms: 1_000 }],
      usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null },
      ms: 1_000,
      base: null,
    },
  });

type Found = { words: string; lines: string[]; links: string[] };

/** What forges look for mentions and references in, and where links lead: not in code. */
const read = (html: string): Found => {
  const found: Found = { words: "", lines: [], links: [] };
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if (node.nodeName === "#text") found.words += (node as DefaultTreeAdapterTypes.TextNode).value;
    if ("tagName" in node && node.tagName === "a")
      found.links.push(node.attrs.find(({ name }) => name === "href")?.value ?? "");
    if ("tagName" in node && (node.tagName === "code" || node.tagName === "pre")) found.words += "\u0001";
    else if ("childNodes" in node) for (const child of node.childNodes) walk(child);
  };
  walk(parseFragment(html));
  found.lines = found.words.split("\n");
  return found;
};

/** What GitHub and Forgejo act upon in a text. */
const ACTED_UPON: readonly [string, RegExp][] = [
  ["a mention", /(?<![A-Za-z0-9])@[A-Za-z0-9_]/],
  [
    "a closing or reopening keyword",
    /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|reopen(?:s|ed)?)\b:?\s*(?:[\w.-]+\/[\w.-]+)?(?:[#!]\d|GH-\d|https?:\/\/\S+\/(?:issues|pulls?)\/\d)/i,
  ],
  ["a reference to another repository", /[\w.-]+\/[\w.-]+[#!]\d/],
  ["a mark that stops checks", /\[(?:skip|ci|no|actions)[ -](?:ci|skip|actions)\]|NO_CI|skip-checks\s*:/i],
];

/** Bots read the raw text by lines; list and quotation marks are not in their way. */
const COMMAND = /^(?:[\s>*+-]|\d+\.\s)*\/[a-z][\w-]*(?=\s|$)/im;
const UNDRAWN = /(?![\t\n\u200b])[\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\ufff9-\ufffb]/u;

const withoutCode = (body: string): string =>
  body.replace(/^(`{3,}|~{3,})[\s\S]*?^\1.*$/gm, "").replace(/`[^`\n]*`/g, "");

describe.each(Object.entries(outgoingTexts))("a model's text with %s", (_kind, texts) => {
  beforeEach((context) => countAttempts(context, "outgoing text"));

  it.each(texts)("does nothing on the forge: %j", (text) => {
    for (const { where, boxes, marks, body } of published(text)) {
      const html = expectSafe(body, { boxes, marks });
      const { words, links } = read(rendered(body));

      for (const [what, pattern] of ACTED_UPON) expect(words, `${what} in ${where}`).not.toMatch(pattern);
      for (const link of links)
        expect(link, `a link in ${where}`).not.toMatch(/^(?!https?:|mailto:)[a-z][a-z0-9+.-]*:/i);
      expect(html, `a picture in ${where}`).not.toMatch(
        /<img|language-(?:mermaid|geojson|topojson|stl|math)/i,
      );
      expect(withoutCode(body), `a command in ${where}`).not.toMatch(COMMAND);
      expect(body, `something unseen in ${where}`).not.toMatch(UNDRAWN);
      expect(body.match(/<!-- \/?uwf:/g) ?? [], `a mark in ${where}`).toHaveLength(marks);
    }
  });

  it.each(texts)("signs no commit in another's name: %j", (text) => {
    const own = "Uwf-Thread: 01M7XDZAYQBH3ZGNTHQM0BYJQ2\n";
    const message = `${neutralizeLine(text)}\n\n${own}`;

    const trailers = execFileSync("git", ["interpret-trailers", "--parse", "--no-divider"], {
      input: message,
      encoding: "utf8",
    });
    const squashed = execFileSync("git", ["interpret-trailers", "--parse"], {
      input: `Title\n\n${pullRequest(text)}\n`,
      encoding: "utf8",
    });

    expect(trailers).toBe(own);
    expect(squashed).toBe("");
  });
});
