import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { findCgroups } from "../../../src/workspace/sandbox/cgroup/cgroups.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { allEscapes } from "../../fixtures/escapes/all-escapes.ts";
import { attemptInside, attemptOutside } from "../../fixtures/escapes/attempt.ts";
import { RESOURCE_LIMITS } from "../../fixtures/escapes/resources.ts";
import { startWorld, type World } from "../../fixtures/escapes/world.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

const isRoot = process.geteuid?.() === 0;
const hasCgroup = bubblewrapIsHere() && findCgroups().cgroups !== null;

describe.skipIf(!bubblewrapIsHere())("out of the sandbox", () => {
  const sandbox = bubblewrapSandbox(RESOURCE_LIMITS);
  const shown = { outside: 0, impossible: 0, untried: 0 };
  let world: World;
  beforeAll(async () => {
    process.env.UWF_ESCAPE = "of the engine";
    world = await startWorld();
  });
  afterAll(async () => {
    delete process.env.UWF_ESCAPE;
    await world.dispose();
    process.stdout.write(
      `Escapes: ${shown.outside} were shown to get out without a sandbox; ${shown.impossible} cannot on this kernel, ${shown.untried} were not tried there.\n`,
    );
  });

  describe.each(Object.entries(allEscapes))("%s", (kind, escapes) => {
    it.for(escapes)("$name", async (tried, context) => {
      context.skip(tried.wantsCgroup === true && !hasCgroup, "needs a control group to write");

      countAttempts(context, `escapes, ${kind}`);
      expect(await attemptInside(tried, world, sandbox)).not.toBe("escaped");

      if (tried.onlyInside !== undefined || (tried.asRoot && !isRoot)) {
        shown.untried++;
        return;
      }
      const outside = await attemptOutside(tried, world);
      const acceptable = tried.mayBeRefused ? ["escaped", "impossible", "held"] : ["escaped", "impossible"];
      expect(acceptable).toContain(outside);
      shown[outside === "escaped" ? "outside" : "impossible"]++;
    });
  });
});
