import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { liveComment } from "../../../../src/forge/text/live-comment.ts";
import { plainText } from "../../../../src/forge/text/plain-text.ts";
import { isShownIn, planBlock } from "../../../../src/forge/text/plan.ts";
import { hostileText } from "../../../fixtures/hostile-text.ts";
import { renderMarkdown, textIn } from "../../../fixtures/rendered-markdown.ts";
import { expectSafe } from "../../../fixtures/safe-markdown.ts";
import { exampleView, roleView } from "../../../fixtures/thread-views.ts";

const RUNS = 100;

describe("the live comment, whatever roles say", () => {
  it("keeps summaries in their boxes, and its own words below them", () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (reason, name, summary) => {
        const comment = liveComment(
          exampleView({
            state: "failed",
            reason,
            requester: name,
            workflow: `w${name}`,
            branch: { name, url: null },
            roles: [
              roleView(`r${name}`, { state: "done", summary, ms: 1_000 }),
              roleView("b", { state: "failed", summary, ms: 1_000 }),
            ],
          }),
        );

        const html = expectSafe(comment, { boxes: 2, marks: 1 });
        expect(html.slice(html.lastIndexOf("</details>"))).toContain(
          "<p><code>/resume [note]</code> goes on",
        );
        expect(html).toMatch(/<\/sub><\/p>\s*$/);
        expect(html).toMatch(/^<!-- uwf:thread:\w+ -->\n<p><strong>Failed\.<\/strong>/);
      }),
      { numRuns: RUNS },
    );
  });

  it("quotes a question, and goes on below it", () => {
    fc.assert(
      fc.property(hostileText, (question) => {
        const view = exampleView({ state: "suspended", awaits: { kind: "answer", question } });

        const html = expectSafe(liveComment(view), { boxes: 0, marks: 1 });
        expect(html).toMatch(/<\/blockquote>\n<ul>\n<li><input[^>]*checked[^>]*> <code>preparer<\/code>/);
      }),
      { numRuns: RUNS },
    );
  });

  it("shows every letter of a plan, and finds it again", () => {
    /** Marks of lists and headings are drawn, not written; of the rest nothing may be missing. */
    const seen = (text: string) => text.replace(/[^\p{L}[\]<>|$@&]/gu, "");
    fc.assert(
      fc.property(hostileText, hostileText, (summary, step) => {
        const plan = { summary, steps: [{ what: step }] };
        const comment = liveComment(
          exampleView({ state: "suspended", awaits: { kind: "approval", plan, base: null }, roles: [] }),
        );

        expectSafe(comment, { boxes: 0, marks: 3 });
        expect(isShownIn(comment, plan)).toBe(true);
        const text = textIn(renderMarkdown(planBlock({ summary })), { code: true, between: "" });
        expect(seen(text)).toBe(seen(plainText(summary).replace(/\\(?=[\\`[\]|$~<>_#=])/g, "")));
      }),
      { numRuns: RUNS },
    );
  });

  it("stays within what forges take", () => {
    const enormous = fc.tuple(
      hostileText,
      fc.integer({ min: 1, max: 20_000 }),
      fc.integer({ min: 1, max: 120 }),
    );
    fc.assert(
      fc.property(enormous, ([text, times, roles]) => {
        const long = text.repeat(times).slice(0, 200_000);
        const role = roleView(long.slice(0, 300), { state: "done", summary: long, ms: 1 });
        const comment = liveComment(
          exampleView({
            state: "suspended",
            reason: long,
            requester: long,
            awaits: { kind: "answer", question: long },
            roles: Array.from({ length: roles }, () => role),
          }),
        );
        expect(comment.length).toBeLessThanOrEqual(62_000);
      }),
      { numRuns: 10 },
    );
  });
});
