import { expect, it } from "vitest";
import { runCommandLine } from "../../../src/cli/command-line.ts";
import { Environment } from "../../../src/config/environment.ts";
import { shellExec } from "../../../src/tools/shell-exec.ts";
import {
  compose,
  composeService,
  dockerfile,
  manifests,
  podOf,
  repositoryFile,
  unit,
} from "../../fixtures/deployment.ts";

const known = new Set(Object.keys(Environment.shape));
/** Read by others than uwf: Node's packages, and the services beside it. */
const others = new Set(["NODE_ENV", "POSTGRES_PASSWORD", "REDIS_PASSWORD"]);
const SECRET = /KEY|SECRET|TOKEN|PASSWORD/;
const names = (text: string): string[] =>
  [...text.matchAll(/^([A-Z][A-Z_]+)=/gm)].map(([, name = ""]) => name);

it("sets only variables that uwf reads", () => {
  const set = [
    ...names(repositoryFile("deploy/env.example")),
    ...["bot", "worker-1", "worker-2"].flatMap((name) => Object.keys(composeService(name).environment)),
    ...manifests().flatMap(({ stringData }) => Object.keys(stringData ?? {})),
    ...["uwf-bot", "uwf-worker"].flatMap((name) => podOf(name).container.env.map((each) => each.name)),
    ...["uwf.service", "uwf-worker@.service"].flatMap((name) =>
      (unit(name).get("Environment") ?? []).flatMap((line) => names(line.replaceAll(" ", "\n"))),
    ),
    ...dockerfile()
      .filter(({ word }) => word === "ENV")
      .flatMap(({ rest }) => names(rest.replaceAll(" ", "\n"))),
  ];

  expect(set).toContain("DATABASE_URL");
  expect(set.filter((name) => !known.has(name) && !others.has(name))).toEqual([]);
});

it("holds no secret", () => {
  const example = repositoryFile("deploy/env.example");
  const inExample = example.split("\n").filter((line) => SECRET.test(line) && /^[A-Z_]+=./.test(line));
  const inCompose = Object.values(compose().services)
    .flatMap(({ environment }) => Object.entries(environment ?? {}))
    .filter(([name, value]) => SECRET.test(name) && !/^\$\{[A-Z_]+:\?[^}]+\}$/.test(value));

  expect([...inExample, ...inCompose]).toEqual([]);
  expect(composeService("bot").environment.DATABASE_URL).toMatch(/:\$\{POSTGRES_PASSWORD:\?[^}]+\}@/);
});

it.each([
  ["compose's bot", () => composeService("bot").command],
  ["compose's workers", () => composeService("worker-1").command],
  ["the cluster's bot", () => podOf("uwf-bot").container.args],
  ["the cluster's workers", () => podOf("uwf-worker").container.args],
  ["the unit of the bot", () => unit("uwf.service").get("ExecStart")?.[0]?.split(" ").slice(1)],
  ["the unit of a worker", () => unit("uwf-worker@.service").get("ExecStart")?.[0]?.split(" ").slice(1)],
])("%s runs a command that there is", async (_what, args) => {
  const shown: string[] = [];
  const output = { write: (text: string) => void shown.push(text), isTerminal: false, columns: () => 0 };
  const context = {
    env: {},
    cwd: "/",
    stdin: process.stdin,
    stdout: output,
    stderr: output,
    now: Date.now,
    interruption: () => new AbortController().signal,
    hide: () => undefined,
  };

  const code = await runCommandLine([...(args() ?? ["none"]), "--help"], context);

  expect({ code, shown: shown.join("") }).toEqual({ code: 0, shown: expect.stringContaining("--threads") });
});

it("gives workers the time that the docs promise, and a command at most ten minutes of them", () => {
  const minutes = [
    composeService("worker-1").stop_grace_period.replace(/m$/, ""),
    composeService("worker-2").stop_grace_period.replace(/m$/, ""),
    podOf("uwf-worker").pod.terminationGracePeriodSeconds / 60,
    ...["uwf.service", "uwf-worker@.service"].map((name) =>
      unit(name).get("TimeoutStopSec")?.[0]?.replace("min", ""),
    ),
  ].map(Number);

  expect(new Set(minutes)).toEqual(new Set([15]));
  expect(repositoryFile("docs/deployment.md")).toContain("15 minutes");
  expect(shellExec.parameters).toMatchObject({ properties: { timeout_seconds: { maximum: 600 } } });
});

it("explains every variable that it names in the docs, and names no other", () => {
  const docs = repositoryFile("docs/deployment.md");
  const named = [...docs.matchAll(/^\| `([A-Z][A-Z_]+)`/gm)].map(([, name = ""]) => name);

  expect(named).toEqual(
    expect.arrayContaining(["DATABASE_URL", "REDIS_URL", "UWF_STORAGE_ROOT", "UWF_API_TOKEN"]),
  );
  expect(named.filter((name) => !known.has(name) && !name.startsWith("OTEL_"))).toEqual([]);
});
