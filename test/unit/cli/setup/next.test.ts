import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { command } from "../../../../src/cli/setup.ts";
import { fakeContext, fakeOutput } from "../../../fixtures/fake-context.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../../rigs/temporary-directory.ts";

let directory: TemporaryDirectory;
beforeAll(async () => {
  directory = await temporaryDirectory("uwf-setup-");
});
afterAll(() => directory.remove());

it("says what to do next after its last question", async () => {
  const env = { UWF_STORAGE_ROOT: `${directory.path}/root`, OPENAI_API_KEY: "k", NO_COLOR: "1" };
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = fakeOutput({ isTerminal: true });
  const write = stdout.write;
  stdout.write = (text) => {
    write(text);
    if (text.endsWith(": ")) setImmediate(() => stdin.write("\n"));
  };

  const exitCode = await command.run(
    { arguments: {}, options: { model: "m", force: false } },
    { ...fakeContext({ env }), stdin, stdout },
  );

  expect(exitCode).toBe(0);
  expect(stdout.text()).toMatch(/Forge to serve: [^\n]*\s+Next:\n {2}uwf doctor --online[^\n]+\n[^\n]+\n$/);
});
