import { describe, expect, it } from "vitest";
import { parseConfigFile } from "../../../src/config/config-file.ts";

const problems = (text: string): string[] => parseConfigFile(text).problems;

const priced = `
providers: { own: { baseUrl: "https://a/v1" } }
models: { default: { provider: own, name: x, price: { input: 1, output: 2 } } }
`;

describe("limits by month", () => {
  it("hold where every thread has a budget and every model a price", () => {
    expect(problems(`limits: { budgetUsd: 5, monthly: { actorUsd: 5, totalUsd: 100 } }${priced}`)).toEqual(
      [],
    );
  });

  it("need a budget for each thread", () => {
    expect(problems(`limits:\n  budgetUsd: null\n  monthly: { totalUsd: 100 }${priced}`)).toEqual([
      "config.yaml:2:14: limits.budgetUsd: must not be null with limits.monthly.totalUsd: what a running thread may still spend counts as spent",
    ]);
  });

  it("may not be less than what one thread may spend", () => {
    expect(problems(`limits:\n  monthly:\n    actorUsd: 4\n    totalUsd: 5${priced}`)).toEqual([
      "config.yaml:3:15: limits.monthly.actorUsd: must be at least limits.budgetUsd (5), or no thread could begin",
    ]);
  });

  it("need a price for each model", () => {
    const text = `limits: { monthly: { totalUsd: 5 } }${priced.replace("{ input: 1, output: 2 }", "{ input: 1, output: 2 } }, free: { provider: own, name: y")}`;

    expect(problems(text)).toEqual([
      "config.yaml:3:80: models.free.price: missing, though limits.monthly.totalUsd counts money",
    ]);
  });

  it("need models of the file", () => {
    expect(problems("limits: { monthly: { repositoryUsd: 5 } }")).toEqual([
      "config.yaml:1:37: limits.monthly.repositoryUsd: needs models with a price, under models: the environment's has none",
    ]);
  });
});

describe("those for whom the bot works", () => {
  it("may be owners and repositories", () => {
    expect(problems("allow: { organisations: [acme], repositories: [mona/parser] }")).toEqual([]);
  });

  it("are repositories when they have a slash", () => {
    expect(problems("allow:\n  organisations: [acme, mona/parser]\n")).toEqual([
      "config.yaml:2:25: allow.organisations[1]: must be an owner's name alone; owner/name belongs under allow.repositories",
    ]);
  });

  it("are owners when they have none", () => {
    expect(problems("allow:\n  repositories: [acme]\n")).toEqual([
      "config.yaml:2:18: allow.repositories[0]: must be owner/name",
    ]);
  });
});

describe("the default agent", () => {
  it("is no workflow whose own roles nobody else plays", () => {
    expect(problems("agents: { sub: { workflow: develop } }\ndefaultAgent: sub\n")).toEqual([
      "config.yaml:2:15: defaultAgent: is the workflow develop, which would play its own roles too: name others for these under agentOverrides.develop, or this one for the roles that it is to play",
    ]);
  });

  it("may be one for whose roles others are named", () => {
    const others = "agentOverrides: { develop: { planner: builtin } }";

    expect(problems(`agents: { sub: { workflow: develop } }\ndefaultAgent: sub\n${others}`)).toEqual([]);
  });
});
