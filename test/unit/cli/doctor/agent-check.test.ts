import { expect, it } from "vitest";
import { checkAgents } from "../../../../src/cli/doctor/agent-check.ts";

const variables = { PATH: "/nowhere:/bin:/usr/bin", A_KEY: "sk-1" };

it("has nothing to say where no agent is a program", () => {
  expect(checkAgents({ agents: { builtin: { adapter: "react" } }, variables })).toBeNull();
});

it("names the programs that are there", () => {
  const agents = {
    builtin: { adapter: "react" as const },
    mine: { command: "sh", env: ["A_KEY"] },
    other: { command: "/bin/sh", protocol: "step" as const },
    own: { command: "uwf-builtin", protocol: "step" as const },
  };

  expect(checkAgents({ agents, variables })).toMatchObject({
    state: "ok",
    detail: "mine (meta), other (step), own (step)",
  });
});

it("names what a program lacks", () => {
  const agents = { gone: { command: "uwf-no-such" }, keyless: { command: "sh", env: ["NOT_SET"] } };

  expect(checkAgents({ agents, variables })).toMatchObject({
    state: "missing",
    detail: "gone: there is no program uwf-no-such; keyless: NOT_SET is not set",
  });
});
