import fc from "fast-check";
import { expect, it } from "vitest";
import type { Hash, ThreadId } from "../../../../src/base/ids.ts";
import { pullRequestBody } from "../../../../src/forge/text/pull-request-body.ts";
import { hostileText } from "../../../fixtures/hostile-text.ts";
import { expectSafe } from "../../../fixtures/safe-markdown.ts";

it("keeps the receipt whole and the issue the only one that is closed, whatever roles and commands say", () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (body, partial, command) => {
      const text = pullRequestBody({
        ...{ body, partial, issue: 12 },
        receipt: {
          thread: "01M7XDZAYQBH3ZGNTHQM0BYJQ2" as ThreadId,
          workflow: { name: `w${command}`, hash: "A".repeat(52) as Hash },
          roles: [{ role: `r${command}`, model: `m${command}`, prompt: "B".repeat(52) as Hash }],
          setup: [{ command, ok: true }],
          commands: [{ command: `x${command}`, ok: false, ms: 1_000 }],
          usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null },
          ms: 1_000,
          base: null,
        },
      });

      const html = expectSafe(text.replace(/^Closes #12$/m, "CLOSES"), { boxes: 1, marks: 0 });
      const receipt = html.slice(html.indexOf("<details>"));
      expect(receipt.match(/<tr>/g)).toHaveLength(4);
      expect(receipt.match(/<td>/g)).toHaveLength(6);
      expect(receipt).toContain("(failed, 1 s)</li>");
      expect(html).toContain("<p>CLOSES</p>\n<details>");
      expect(html).toMatch(/^<p><strong>Unfinished\.<\/strong>/);
    }),
    { numRuns: 100 },
  );
});
