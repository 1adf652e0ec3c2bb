import { describe, expect, it } from "vitest";
import { type Bot, runningBot, SUMS } from "../../rigs/bot.ts";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import type { SentDelivery } from "../../rigs/forge-rig.ts";
import { botComments, botPulls, openIssue, quiet, say, shown, threadsOf } from "../../rigs/story.ts";

const NOWHERE = "http://127.0.0.1:1";

/** Somebody labels an issue and writes `/solve`, of which the bot hears nothing yet. */
const unheard = async (bot: Bot): Promise<{ issue: number; deliveries: readonly SentDelivery[] }> => {
  bot.forge.sendWebhooksTo(NOWHERE);
  const issue = await openIssue(bot);
  await bot.forge.label(SUMS, issue, "uwf", "mona");
  await say(bot, issue, "/solve");
  await bot.forge.idle();
  bot.forge.sendWebhooksTo(bot.hookUrl);
  return { issue, deliveries: [...bot.forge.delivered] };
};

const post = async (
  bot: Bot,
  delivery: { id: string; event: string; body: string },
  change?: { signature: string },
): Promise<number> => {
  const headers = bot.forge.headersOf(delivery, change);
  const { status } = await fetch(bot.hookUrl, { method: "POST", headers, body: delivery.body });
  return status;
};

/** One thread, one pull request, one comment. */
const expectOne = async (bot: Bot, issue: number): Promise<void> => {
  await shown(bot, issue, "Done");
  await quiet(bot);
  expect(threadsOf(bot)).toBe(1);
  expect(await botPulls(bot)).toHaveLength(1);
  expect((await botComments(bot, issue)).filter((body) => body.includes("uwf:thread:"))).toHaveLength(1);
};

for (const forge of ["github", "forgejo"] as const)
  describe(`deliveries of ${forge}`, { timeout: 120_000 }, () => {
    it("may come twice, at once and later", async (context) => {
      await using bot = await runningBot({ forge });
      const { issue, deliveries } = await unheard(bot);

      const answers = await Promise.all([...deliveries, ...deliveries].map((each) => post(bot, each)));
      expect(new Set(answers)).toEqual(new Set([202]));
      await shown(bot, issue, "Done");
      for (const each of deliveries) expect(await post(bot, each)).toBe(202);
      countFaults(context, "deliveries sent again", 2 * deliveries.length);

      await expectOne(bot, issue);
    });

    it("may come late and in any order", async (context) => {
      await using bot = await runningBot({ forge });
      const { issue, deliveries } = await unheard(bot);

      for (const each of deliveries.toReversed()) expect(await post(bot, each)).toBe(202);
      countFaults(context, "deliveries late and out of order", deliveries.length);

      await expectOne(bot, issue);
    });

    it("lead to nothing without the right signature, whole, and of a size that the forge sends", async (context) => {
      await using bot = await runningBot({ forge });
      const { issue, deliveries } = await unheard(bot);
      const hex = "0".repeat(64);
      const wrong = forge === "github" ? `sha256=${hex}` : hex;

      for (const each of deliveries) {
        expect(await post(bot, each, { signature: wrong })).toBe(401);
        expect(await post(bot, each, { signature: "" })).toBe(400);
        expect(await post(bot, { ...each, body: `${each.body} ` }, bot.forge.signatureFor(each))).toBe(401);
        expect(await post(bot, { ...each, body: "" })).toBe(400);
        countFaults(context, "deliveries with a bad signature or none", 4);
      }
      const last = deliveries.at(-1) ?? { id: "", event: "", body: "" };
      for (const body of [last.body.slice(0, -20), "null", "[]", '{"action":"created"}', "\u00ff"]) {
        expect(await post(bot, { ...last, id: `malformed-${body.length}`, body })).toBe(202);
        countFaults(context, "malformed deliveries");
      }
      const large = { ...last, id: "large", body: JSON.stringify({ pad: "x".repeat(26 * 1024 * 1024) }) };
      const refused = await post(bot, large).catch(() => 413);
      expect(refused).toBe(413);
      countFaults(context, "deliveries that are too large");
      await quiet(bot);
      expect(await botComments(bot, issue)).toEqual([]);
      expect(bot.model.requests).toEqual([]);

      for (const each of deliveries) expect(await post(bot, each)).toBe(202);
      await expectOne(bot, issue);
    });
  });
