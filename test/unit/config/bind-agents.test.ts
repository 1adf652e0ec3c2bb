import { describe, expect, it } from "vitest";
import { inputError } from "../../../src/base/errors.ts";
import type { AskedAgents, ChosenAgent } from "../../../src/config/agents.ts";
import { bindAgents } from "../../../src/config/bind-agents.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import type { Workflow } from "../../../src/workflow/workflow.ts";

const role = (name: string, workflow = "") => `
  ${name}:
    description: Plays.
    ${workflow === "" ? "systemPrompt: You play." : `workflow: ${workflow}`}
    schema: { type: object, properties: { done: { type: boolean } } }`;

const outer = `version: 1
name: outer
description: One role is played by a workflow.
roles:${role("maker", "inner")}${role("ender")}
moderator:
  - { from: $START, to: maker }
  - { from: maker, to: ender }
  - { from: ender, to: $END }
`;
const inner = `version: 1
name: inner
description: Two roles.
roles:${role("coder")}
moderator:
  - { from: $START, to: coder }
  - { from: coder, to: $END }
`;

const bind = async (yaml: string, asked: AskedAgents | null = null) => {
  const config = loadConfig({
    env: { UWF_STORAGE_ROOT: "/root", OPENAI_API_KEY: "k", OPENAI_MODEL: "m" },
    readFile: (path) => (path.endsWith("config.yaml") ? yaml : null),
  });
  const files: Record<string, string> = { outer, inner };
  const load = (name: string) => loadWorkflow(files[name] ?? "", { file: `${name}.yaml` });
  const { agents, nodes } = await bindAgents(config, await load("outer"), {
    model: null,
    asked,
    findWorkflow: load,
  });
  const players = nodes.flatMap((node) => (node.type === "agent" ? [node.payload.name] : []));
  return { agents, players };
};

const mine: ChosenAgent = { name: "mine", agent: { command: "mine", protocol: "step" } };

describe("who plays the roles of a thread", () => {
  it("is a workflow where the configuration says so, and may be one within another", async () => {
    const { agents } = await bind(
      "agents: { sub: { workflow: inner } }\nagentOverrides: { outer: { ender: sub } }",
    );

    expect(agents).toMatchObject({
      maker: { adapter: "workflow", name: "inner" },
      ender: { adapter: "workflow", name: "inner" },
    });
  });

  it("is a program instead of a workflow where it was asked for by the role's name", async () => {
    const asked = { roles: new Map([["maker", mine]]), others: null };

    expect((await bind("{}", asked)).agents).toMatchObject({
      maker: { adapter: "command", name: "mine", protocol: "step" },
      ender: { adapter: "react" },
    });
  });

  it("is, where one was asked for all roles, that one inside the workflow too", async () => {
    const { agents, players } = await bind("{}", { roles: new Map(), others: mine });

    expect(agents).toMatchObject({ maker: { adapter: "workflow" }, ender: { name: "mine" } });
    expect(players).toEqual(["mine"]);
  });

  it("is, where a workflow was asked for all roles, as configured inside that workflow", async () => {
    const reviewed: ChosenAgent = { name: "reviewed", agent: { workflow: "inner" } };

    const { agents, players } = await bind("{}", { roles: new Map(), others: reviewed });

    expect(agents).toMatchObject({
      maker: { adapter: "workflow", name: "inner" },
      ender: { adapter: "workflow", name: "inner" },
    });
    // Below `maker`, which the file gives to `inner`, the one that was asked for plays once more.
    expect(players).toEqual(["builtin", "inner"]);
  });

  it("may be a workflow by default where others are named for its own roles", async () => {
    const { agents, players } = await bind(
      "agents: { sub: { workflow: inner } }\ndefaultAgent: sub\nagentOverrides: { inner: { coder: builtin } }",
    );

    expect(agents).toMatchObject({
      maker: { adapter: "workflow", name: "inner" },
      ender: { adapter: "workflow", name: "inner" },
    });
    expect(players).toContain("builtin");
  });

  it("is no workflow within itself", async () => {
    await expect(
      bind(
        "agents: { sub: { workflow: inner } }\ndefaultAgent: sub\nagentOverrides: { inner: { other: builtin } }",
      ),
    ).rejects.toMatchObject({
      code: "agent-recursive",
      remedy: "fix-config",
      message:
        'the default agent "sub" is the workflow "inner", and would play the role "coder" of "inner" within itself',
      hint: "Name another agent for it under agentOverrides.inner in config.yaml.",
    });
  });

  it("is said to be missing with the role that wants it", async () => {
    const config = loadConfig({
      env: { UWF_STORAGE_ROOT: "/root", OPENAI_API_KEY: "k", OPENAI_MODEL: "m" },
      readFile: () => null,
    });
    const read = await loadWorkflow(outer, { file: "outer.yaml" });
    const findWorkflow = (name: string) =>
      Promise.reject(inputError("workflow-unknown", `there is no workflow "${name}"`, "Name a file."));

    await expect(bindAgents(config, read, { model: null, findWorkflow })).rejects.toMatchObject({
      code: "workflow-unknown",
      message: 'there is no workflow "inner", which is to play the role "maker" of "outer"',
      hint: "Name a file.",
    });
  });

  it("is asked for by the name of a role inside", async () => {
    const { agents, players } = await bind("{}", { roles: new Map([["coder", mine]]), others: null });

    expect(agents).toMatchObject({ maker: { adapter: "workflow" }, ender: { name: "builtin" } });
    expect(players).toEqual(["mine"]);
  });

  it("is refused for a role that none has", async () => {
    await expect(bind("{}", { roles: new Map([["coderr", mine]]), others: null })).rejects.toMatchObject({
      code: "role-unknown",
      message: 'outer has no role "coderr"; did you mean "coder"?',
      hint: "Its roles are: maker, coder, ender.",
    });
  });

  it("is found out once for each workflow, however many roles it plays", async () => {
    const many = (name: string, below: string) => `version: 1
name: ${name}
description: Many roles.
roles:${Array.from({ length: 60 }, (_, at) => role(`r${at}`, below)).join("")}
moderator:
  - { from: $START, to: r0 }
${Array.from({ length: 59 }, (_, at) => `  - { from: r${at}, to: r${at + 1} }`).join("\n")}
  - { from: r59, to: $END }
`;
    const asked: string[] = [];
    const config = loadConfig({
      env: { UWF_STORAGE_ROOT: "/root", OPENAI_API_KEY: "k", OPENAI_MODEL: "m" },
      readFile: () => null,
    });
    const load = (text: string, file: string) => loadWorkflow(text, { file: `${file}.yaml` });

    const { nodes } = await bindAgents(config, await load(many("top", "itself"), "top"), {
      model: null,
      findWorkflow: (name) => {
        asked.push(name);
        return load(many(name, name), name);
      },
    });

    expect(asked).toEqual(["itself"]);
    expect(nodes.length).toBeLessThan(200);
    expect(new Set(nodes.map(({ hash }) => hash)).size).toBe(nodes.length);
  });

  it("is refused where too many workflows would play roles in one", async () => {
    const config = loadConfig({
      env: { UWF_STORAGE_ROOT: "/root", OPENAI_API_KEY: "k", OPENAI_MODEL: "m" },
      readFile: () => null,
    });
    const { roles, ...read } = await loadWorkflow(outer, { file: "outer.yaml" });
    const maker = roles.maker;
    if (maker === undefined) throw new Error("it has no maker");
    const named = (name: string): Workflow => ({
      ...read,
      name,
      roles: Object.fromEntries(
        Array.from({ length: 10 }, (_, at) => {
          const role = `r${at}`;
          return [role, { ...maker, name: role, workflow: `${name}-${at}` }];
        }),
      ),
    });

    await expect(
      bindAgents(config, named("w"), { model: null, findWorkflow: (name) => Promise.resolve(named(name)) }),
    ).rejects.toMatchObject({ code: "workflow-too-large" });
  });
});
