import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/config/load-config.ts";
import { modelNamed } from "../../../src/config/models.ts";

const config = (env: Record<string, string>, yaml: string | null = null) =>
  loadConfig({
    env: { UWF_STORAGE_ROOT: "/root", ...env },
    readFile: (path) => (path.endsWith("config.yaml") ? yaml : null),
  });

describe("modelNamed", () => {
  it("brings model, provider and key together", () => {
    expect(modelNamed(config({ OPENAI_API_KEY: "k", OPENAI_MODEL: "m" }), "default")).toMatchObject({
      model: { name: "m" },
      provider: { baseUrl: "https://api.openai.com/v1" },
      apiKey: "k",
    });
  });

  it("needs no key where the provider names none", () => {
    expect(
      modelNamed(config({ OPENAI_BASE_URL: "http://localhost:11434/v1", OPENAI_MODEL: "m" }), "default")
        .apiKey,
    ).toBeNull();
  });

  it.each<[string, Record<string, string>, string, string, string]>([
    ["nothing configured", {}, "default", "no model is configured", "uwf setup"],
    ["a key but no model", { OPENAI_API_KEY: "k" }, "default", "OPENAI_MODEL is not set", "OPENAI_MODEL"],
    ["a model but no key", { OPENAI_MODEL: "m" }, "default", "OPENAI_API_KEY is not set", ".env"],
    [
      "another alias",
      { OPENAI_API_KEY: "k", OPENAI_MODEL: "m" },
      "defualt",
      'did you mean "default"?',
      "default",
    ],
    [
      "an alias that every object has",
      { OPENAI_API_KEY: "k", OPENAI_MODEL: "m" },
      "constructor",
      "no model is called",
      "default",
    ],
  ])("says what is missing: %s", (_, env, alias, message, hint) => {
    expect(() => modelNamed(config(env), alias)).toThrow(
      expect.objectContaining({
        code: "model-unconfigured",
        remedy: "fix-config",
        message: expect.stringContaining(message),
        hint: expect.stringContaining(hint),
      }),
    );
  });
});
