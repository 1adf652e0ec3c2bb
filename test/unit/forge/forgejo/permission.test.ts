import nock from "nock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/base/log.ts";
import { forgejoClient } from "../../../../src/forge/forgejo/forgejo-client.ts";
import { permissionOf } from "../../../../src/forge/forgejo/permission.ts";
import { placeAt } from "../../../../src/forge/forgejo/place.ts";

const url = "https://forgejo.test";
const place = placeAt(forgejoClient({ url, token: "t", log: silentLog }), "acme/app");
const answer = (status: number, body: object) =>
  nock(url).get("/api/v1/repos/acme/app/collaborators/mona/permission").reply(status, body);

// Another file of this process may have restored it.
beforeAll(() => {
  if (!nock.isActive()) nock.activate();
});
afterEach(() => {
  nock.cleanAll();
});
afterAll(() => nock.restore());

describe("permissionOf", () => {
  it.each([
    ["owner", "admin"],
    ["admin", "admin"],
    ["write", "write"],
    ["read", "read"],
    ["none", "none"],
  ])("takes %s for %s", async (permission, expected) => {
    answer(200, { permission });

    expect(await permissionOf(place, "mona")).toBe(expected);
  });

  it("takes somebody unknown for nobody", async () => {
    answer(404, { message: "Not Found" });

    expect(await permissionOf(place, "mona")).toBe("none");
  });

  it.each([
    ["an unknown word", 200, { permission: "maintain" }, "forge-unclear"],
    ["an empty answer", 200, {}, "forge-unclear"],
    ["a bad token", 401, { message: "no" }, "forge-denied"],
    ["a fault", 500, { message: "oops" }, "forge-unavailable"],
  ])("fails closed on %s", async (_name, status, body, code) => {
    answer(status, body);

    await expect(permissionOf(place, "mona")).rejects.toMatchObject({
      code,
      message: expect.stringContaining("read the permission of mona on acme/app"),
    });
  });

  it("says what the bot's account lacks when it is not told", async () => {
    answer(403, { message: "no" });

    await expect(permissionOf(place, "mona")).rejects.toMatchObject({
      code: "forge-denied",
      remedy: "fix-config",
      message: expect.stringContaining(
        "could not read the permission of mona on acme/app: it tells that only to",
      ),
      hint: expect.stringContaining("an administrator of the repository"),
      cause: expect.objectContaining({ cause: { status: 403 } }),
    });
  });

  it("asks about nobody whose name leads elsewhere", async () => {
    await expect(permissionOf(place, "..")).rejects.toMatchObject({ code: "forge-path" });
  });
});
