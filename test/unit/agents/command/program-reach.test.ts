import { expect, it } from "vitest";
import { programReach } from "../../../../src/agents/command/program-reach.ts";

it("is the program's own hosts, those listed for it, and the addresses that it is given", () => {
  const agent = {
    args: ["-c", 'base_url="http://127.0.0.1:8080/v1"', "--see=https://docs.example.org/x"],
    env: ["BASE_URL", "CONFIG", "KEY", "ABSENT"],
    network: ["npm"],
  };
  const variables = {
    BASE_URL: "https://models.corp.example/v1",
    CONFIG: JSON.stringify({ provider: { baseURL: "http://[::1]:11434/v1" } }),
    KEY: "secret",
    OTHER: "http://other.example:1/",
  };

  expect(programReach(agent, { hosts: ["api.example.com"], variables })).toEqual({
    operator: {
      hosts: ["api.example.com", "npm"],
      internal: ["127.0.0.1:8080", "docs.example.org:443", "models.corp.example:443", "[::1]:11434"],
    },
  });
});
