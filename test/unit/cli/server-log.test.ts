import { describe, expect, it } from "vitest";
import { inLogScope } from "../../../src/base/log-scope.ts";
import { secretKeeper } from "../../../src/base/redact.ts";
import { serverLog } from "../../../src/cli/server-log.ts";

const setUp = (secrets: string[] = []) => {
  const lines: string[] = [];
  const log = serverLog({
    level: "debug",
    secrets: secretKeeper(secrets),
    write: (line) => void lines.push(line),
  });
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

describe("serverLog", () => {
  it("says of each line what was worked on, also far from where that is known", async () => {
    const { log, parsed } = setUp();

    await inLogScope({ thread: "01J" }, async () => {
      log.info({}, "begins");
      await inLogScope({ step: 2, role: "developer" }, async () => {
        await new Promise(setImmediate);
        log.child({ name: "model" }).debug({ role: "said by the line" }, "works");
      });
      log.info({}, "goes on");
    });
    log.info({}, "elsewhere");

    const fields = parsed().map(({ thread, step, role, msg }) => [thread, step, role, msg]);
    expect(fields).toEqual([
      ["01J", undefined, undefined, "begins"],
      ["01J", 2, "said by the line", "works"],
      ["01J", undefined, undefined, "goes on"],
      [undefined, undefined, undefined, "elsewhere"],
    ]);
  });

  it("lets no secret through, wherever a line has it", () => {
    const key = '-----BEGIN KEY-----\nMIIEow"IBAAK\n-----END KEY-----';
    const { log, lines, parsed } = setUp([key, "hunter2-hunter2"]);

    log.error({ err: new Error(`refused ${key}`) }, "cannot sign");
    log.warn({ url: { auth: ["u:hunter2-hunter2"] } }, "told hunter2-hunter2");
    log.child({ token: "hunter2-hunter2" }).info({ "hunter2-hunter2": 1 }, "named");
    log.info({ header: Buffer.from("hunter2-hunter2").toString("base64") }, "encoded");

    expect(parsed()).toHaveLength(4);
    expect(lines.join("")).not.toMatch(/MIIEow|hunter2|aHVudGVyMi1odW50ZXIy/);
    expect(lines.join("")).toContain("refused [redacted]");
  });
});
