import { expect, it } from "vitest";
import { refusedHosts } from "../../../../src/forge/text/refused-hosts.ts";
import { addRefusals, type Refusal, refusalLines } from "../../../../src/workspace/network/refusal.ts";

const refusal = (target: string, count = 1, reason: Refusal["reason"] = "not-allowed"): Refusal => ({
  target,
  reason,
  count,
});

it("adds up by host and reason, and keeps no more than people read", () => {
  const sums = addRefusals(
    [refusal("a:443", 2)],
    [refusal("b:443"), refusal("a:443"), refusal("a:443", 1, "withheld")],
  );

  expect(sums).toEqual([refusal("a:443", 3), refusal("b:443"), refusal("a:443", 1, "withheld")]);
  const many = Array.from({ length: 80 }, (_, index) => refusal(`h${index}:443`));
  expect(addRefusals(many, [refusal("h0:443"), refusal("h79:443")])).toHaveLength(50);
  expect(addRefusals(many, [refusal("h0:443")])[0]).toEqual(refusal("h0:443", 2));
});

it("tells a role nothing when nothing was refused", () => {
  expect(refusalLines([])).toEqual([]);
  expect(refusedHosts([])).toBe("");
});

it("tells people which hosts, how often, and what they can do about it", () => {
  expect(refusedHosts([refusal("a.example:443", 3), refusal("b.example:80")])).toBe(
    "**Blocked.** Commands tried to reach `a.example:443` (3 times), `b.example:80`. A host that is needed can be listed as `network` in this repository's `uwf.yml`, or by whoever serves the bot.",
  );
  expect(refusedHosts([refusal("b.example:80", 2, "private-address")])).toBe(
    "**Blocked.** Commands tried to reach `b.example:80` (of a private network, 2 times).",
  );
});

it("shows of many hosts the first ones", () => {
  const many = Array.from({ length: 12 }, (_, index) => refusal(`h${index}.example:443`, 1, "malformed"));

  expect(refusedHosts(many)).toMatch(/`h9\.example:443` \(malformed\) and 2 more\.$/);
});
