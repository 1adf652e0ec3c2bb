import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { modelServer } from "../../rigs/model-server.ts";

const root = new URL("../../../", import.meta.url);
const page = readFileSync(new URL("docs/api.md", root), "utf8");

const node = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [...args], {
    cwd: fileURLToPath(root),
    env: { PATH: process.env.PATH ?? "", ...env },
  });
  return stdout;
};

it("the first example of docs/api.md prints what the page says", async () => {
  const [, shown] = /^```text\n(.*?)^```$/ms.exec(page) ?? [];

  expect(await node(["docs/examples/api.ts"])).toBe(shown);
});

it("the model of the second asks the server that the environment names", async () => {
  const server = await modelServer({ script: () => ({ content: "Yes." }), apiKey: "key-1" });
  try {
    const program = [
      'const { model } = await import("./docs/examples/model.ts");',
      'const messages = [{ role: "user", content: "Are you there?" }];',
      "const signal = AbortSignal.timeout(30_000);",
      'const reply = await model.ask({ messages, tools: [], toolChoice: "auto" }, { signal });',
      "console.log(reply.content, reply.usage.costUsd > 0);",
    ].join("\n");

    const printed = await node(["--input-type=module", "--eval", program], {
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: "key-1",
      OPENAI_MODEL: "some-model-2",
    });

    expect(printed).toBe("Yes. true\n");
    expect(server.requests).toMatchObject([{ model: "some-model-2" }]);
  } finally {
    await server.close();
  }
});
