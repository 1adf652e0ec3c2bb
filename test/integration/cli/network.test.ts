import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";
import { type RoleStep, roleScript } from "../../rigs/model-script.ts";
import { type ModelServer, modelServer } from "../../rigs/model-server.ts";
import { webProgramsAreHere } from "../../rigs/web-origin.ts";

const workflow = `version: 1
name: one-step
description: One role, once.
roles:
  worker:
    description: Does it.
    systemPrompt: You are the **worker**.
    publish: pull-request
    schema:
      type: object
      properties: { title: { type: string }, body: { type: string } }
      required: [title, body]
moderator:
  - { from: $START, to: worker }
  - { from: worker, to: $END }
`;
const usage = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 100, costUsd: null };
const calls = (name: string, args: object): RoleStep => ({
  toolCalls: [{ name, arguments: JSON.stringify(args) }],
  usage,
});

describe.skipIf(!bubblewrapIsHere() || !webProgramsAreHere())(
  "uwf solve, with commands that reach a list",
  () => {
    let home: UwfHome;
    let service: Server;
    let asked: string[];
    beforeEach(async () => {
      home = uwfHome();
      asked = [];
      service = createServer(({ url = "" }, response) => {
        asked.push(url);
        response.end("from this machine");
      }).listen(0, "127.0.0.1");
      await once(service, "listening");
      const repository = join(home.cwd, "repository");
      mkdirSync(repository);
      const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args]);
      git("init", "-q", "-b", "main");
      git(
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.com",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "first",
      );
      writeFileSync(join(home.cwd, "one-step.yaml"), workflow);
    });
    afterEach(() => {
      service.close();
      home.dispose();
    });
    const solve = async (
      sandbox: object,
      script: readonly RoleStep[],
    ): Promise<{ stdout: string; model: ModelServer }> => {
      const model = await modelServer({ script: (request) => roleScript({ worker: [...script] })(request) });
      mkdirSync(home.root, { recursive: true, mode: 0o700 });
      const provider = { providers: { local: { baseUrl: model.url, apiKeyEnv: null } } };
      const models = { models: { default: { provider: "local", name: "scripted" } } };
      writeFileSync(join(home.root, "config.yaml"), JSON.stringify({ ...provider, ...models, sandbox }));
      const argv = [
        "solve",
        "--repo",
        "repository",
        "--issue",
        "Say hello",
        "--workflow",
        "one-step.yaml",
        "--json",
      ];
      const { exitCode, stdout, stderr } = await home.uwf(argv);
      await model.close();
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      return { stdout, model };
    };
    const port = (): number => (service.address() as AddressInfo).port;
    const script = (): RoleStep[] => [
      calls("shell_exec", {
        command: `curl -s http://127.0.0.1:${port()}/asked; curl -s http://registry.example.org/; curl -s --noproxy '*' http://127.0.0.1:${port()}/direct; echo; echo hello > greeting.txt`,
      }),
      calls("resolve", { title: "Greet", body: "Says hello." }),
    ];

    it("lets them reach the operator's place on this machine, and says in the pull request's text what they did not", async () => {
      const { stdout, model } = await solve({ internal: [`127.0.0.1:${port()}`] }, script());

      expect(asked).toEqual(["/asked", "/direct"]);
      expect(JSON.stringify(model.requests.at(-1))).toContain("registry.example.org:80 is not allowed here");
      expect(JSON.parse(stdout).published.body).toContain(
        "**Blocked.** Commands tried to reach `registry.example.org:80`.",
      );
    });

    it("lets them reach nothing without a list", async () => {
      const { stdout } = await solve({}, script());

      expect(asked).toEqual([]);
      expect(JSON.parse(stdout).published.body).not.toContain("Blocked");
    });
  },
);
