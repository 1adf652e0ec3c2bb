import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answersFrom, defaultAnswers } from "../../../../src/cli/setup/answers.ts";
import { configText, envText } from "../../../../src/cli/setup/config-text.ts";
import { parseConfigFile } from "../../../../src/config/config-file.ts";

describe("configText", () => {
  it("says in the file what was answered", () => {
    const answers = {
      ...defaultAnswers,
      ...answersFrom({
        "provider-url": "http://127.0.0.1:1/v1",
        "api-key-env": "",
        model: 'odd: "name" #1',
        "price-in": "1.5",
        "price-cached": "0.1",
        "price-out": "0",
        budget: "2",
      }),
    };

    const { file, problems } = parseConfigFile(configText(answers));

    expect(problems).toEqual([]);
    expect(file).toMatchObject({
      providers: { main: { baseUrl: "http://127.0.0.1:1/v1", apiKeyEnv: null } },
      models: {
        default: {
          provider: "main",
          name: 'odd: "name" #1',
          price: { input: 1.5, cachedInput: 0.1, output: 0 },
        },
      },
      limits: { budgetUsd: 2 },
    });
  });

  it("leaves the price out where none is known", () => {
    const { file } = parseConfigFile(configText({ ...defaultAnswers, model: "m" }));

    expect(file?.models.default?.price).toBeUndefined();
    expect(file?.providers.main?.apiKeyEnv).toBe("OPENAI_API_KEY");
  });
});

describe("envText", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "uwf-setup-"));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it("keeps what else is in .env", async () => {
    writeFileSync(join(root, ".env"), "A=1\nOPENAI_API_KEY=old\n# note\n");

    expect(await envText(root, { ...defaultAnswers, key: "new" })).toBe("A=1\n# note\nOPENAI_API_KEY=new\n");
  });

  it("is nothing where there is no key to keep", async () => {
    expect(await envText(root, defaultAnswers)).toBeNull();
  });
});
