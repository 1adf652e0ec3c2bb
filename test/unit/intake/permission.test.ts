import { describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { Permission } from "../../../src/forge/forge.ts";
import { mayAsk } from "../../../src/intake/permission.ts";
import { fakeForge } from "../../fixtures/fake-forge.ts";
import { heardLog } from "../../fixtures/heard-log.ts";

const mona = { login: "mona", isBot: false };

const asked = async (permission: Permission, sender = mona) => {
  const log = heardLog();
  const forge = Object.assign(fakeForge(), { permissionIs: permission });
  return { may: await mayAsk(forge, sender, log), lines: log.lines, called: forge.called };
};

describe("mayAsk", () => {
  it.each([
    ["admin", true],
    ["write", true],
    ["read", false],
    ["none", false],
  ] as const)("lets somebody with the permission %s: %s", async (permission, may) => {
    expect((await asked(permission)).may).toBe(may);
  });

  it("says in the log who was not let, and nothing of others", async () => {
    expect((await asked("read")).lines).toEqual([
      'info: not allowed to ask {"repository":"acme/parser","sender":"mona","permission":"read"}',
    ]);
    expect((await asked("write")).lines).toEqual([]);
  });

  it("lets no bot, whatever it may do, and asks nobody about it", async () => {
    expect(await asked("admin", { login: "mona", isBot: true })).toEqual({
      may: false,
      lines: [],
      called: [],
    });
  });

  it("asks the forge each time", async () => {
    const forge = fakeForge();

    expect(await mayAsk(forge, mona, silentLog)).toBe(true);
    forge.permissionIs = "none";

    expect(await mayAsk(forge, mona, silentLog)).toBe(false);
  });

  it("takes no answer for no permission at all, not even for a refusal", async () => {
    const forge = fakeForge();
    forge.faults.set("permission", new AppError("no", { code: "forge-unclear", remedy: "retry" }));

    await expect(mayAsk(forge, mona, silentLog)).rejects.toMatchObject({ code: "forge-unclear" });
  });
});
