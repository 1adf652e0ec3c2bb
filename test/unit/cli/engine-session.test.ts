import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Secrets } from "../../../src/base/redact.ts";
import { configHere } from "../../../src/cli/engine-session.ts";
import { fakeContext } from "../../fixtures/fake-context.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../rigs/temporary-directory.ts";

let root: TemporaryDirectory;
beforeEach(async () => {
  root = await temporaryDirectory("uwf-here-");
});
afterEach(() => root.remove());

describe("configHere", () => {
  it.each(["configured", "none", "unneeded"] as const)(
    "hides what the configuration takes for secret in all that is written, with a sandbox that is %s",
    async (sandbox) => {
      const env = { UWF_STORAGE_ROOT: root.path, UWF_API_TOKEN: "the-operator's-token" };
      const hidden: Pick<Secrets, "redact">[] = [];

      await configHere(
        { ...fakeContext({ env }), hide: (secrets) => void hidden.push(secrets) },
        { sandbox },
      );

      expect(hidden.map(({ redact }) => redact("it is the-operator's-token"))).toEqual(["it is [redacted]"]);
    },
  );
});
