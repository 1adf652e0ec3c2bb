import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { calls, resolves, type ScriptedStep } from "../../../src/llm/scripted-model.ts";
import type { RepositorySettings } from "../../../src/store/payload.ts";
import { forkThread } from "../../../src/thread/fork.ts";
import { readRefused } from "../../../src/thread/refused-hosts.ts";
import { readSituation } from "../../../src/worker/situation.ts";
import { threadView } from "../../../src/worker/thread-view.ts";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { type ProxyBench, PUBLIC, proxyBench } from "../../fixtures/proxy-bench.ts";
import { replayed } from "../../fixtures/replay-rig.ts";
import { twoRoles } from "../../fixtures/two-roles.ts";
import { type WorkflowBench, workflowBench } from "../../fixtures/workflow-bench.ts";
import { type WebOrigin, webOrigin, webProgramsAreHere } from "../../rigs/web-origin.ts";

const settings: RepositorySettings = {
  ...{
    branchPrefix: "uwf/",
    draft: "never",
    setup: [],
    instructions: null,
    protectedPaths: [],
    reviewers: [],
  },
  network: ["crates", "pages.example.com"],
};
const get = (url: string): string => `curl -sS --max-time 10 ${url}`;
const shell = (command: string) => calls("shell_exec", { command });
const writes = calls("write_file", { path: "new.txt", content: "new\n" });
const done = resolves({ done: "all" });
const submits = resolves({ title: "New", body: "It is new." });
const sandbox = bubblewrapSandbox({ memoryMb: 2048, processes: 128 });

describe.skipIf(!bubblewrapIsHere() || !webProgramsAreHere())("the network of a thread's commands", () => {
  let origin: WebOrigin;
  let names: ProxyBench;
  let bench: WorkflowBench;
  beforeEach(async () => {
    origin = await webOrigin(["example.org"], (_, response) => response.end("from outside"));
    names = await proxyBench({
      network: ["example.org"],
      answer: () => [PUBLIC],
      leadsTo: () => origin.ports.http,
    });
  });
  afterEach(async () => {
    await bench.dispose();
    await names.close();
    await origin.close();
  });
  const begin = async (script: readonly ScriptedStep[], change: Partial<RepositorySettings> = {}) => {
    const files = { "package.json": "{}" };
    bench = await workflowBench(script, { sandbox, networks: names.networks, files });
    return bench.beginWith(twoRoles, { input: "Do it.", settings: { ...settings, ...change } });
  };
  const answers = (): string[] =>
    (bench.model.asked.at(-1) ?? [])
      .filter(({ role }) => role === "tool")
      .map(({ content }) => String(content));

  it("is the server's list and what is followed of the repository's; the rest is told to the role, and in the pull request", async () => {
    const all = [
      "example.org",
      "index.crates.io",
      "pages.example.com",
      "registry.npmjs.org",
      "gone.example.net",
    ];
    const { id } = await begin([
      shell(all.map((host) => get(`http://${host}/; echo`)).join("; ")),
      writes,
      done,
      submits,
    ]);

    expect(await bench.run(id)).toMatchObject({ status: "completed", reason: null });

    expect(origin.requests).toEqual(["GET http://example.org/", "GET http://index.crates.io/"]);
    const [told = ""] = (bench.model.asked[1] ?? [])
      .filter(({ role }) => role === "tool")
      .map(({ content }) => String(content));
    expect(told).toContain(
      "[The network's proxy refused what the command asked for: pages.example.com:80 is in the repository's `network`, but this server does not allow it; registry.npmjs.org:80 is not allowed here; gone.example.net:80 is not allowed here.]",
    );
    expect(bench.forge.details.get(1)?.body).toContain(
      "**Blocked.** Commands tried to reach `pages.example.com:80` (not followed by this server), `registry.npmjs.org:80`, `gone.example.net:80`. A host that is needed can be listed",
    );
  });

  it("is kept with the thread, counted over its commands, for whichever process publishes", async () => {
    const { id } = await begin([
      shell(get("http://a.example.net/")),
      shell(get("http://a.example.net/")),
      done,
      resolves({ $status: "$SUSPEND", reason: "Which?" }),
    ]);

    await bench.run(id);

    const refused = [{ target: "a.example.net:80", reason: "not-allowed", count: 2 }];
    expect(readRefused(await bench.store.link(id, "refused-hosts"))).toEqual(refused);
    const record = await bench.store.thread(id);
    if (record === undefined) throw new Error("the thread is gone");
    expect(await threadView(bench.store, await readSituation(bench.store, record), Date.now())).toMatchObject(
      { refused },
    );
  });

  it("gives setup commands the registries that the repository's files ask for, and roles' commands none of them", async () => {
    const npm = get("http://registry.npmjs.org/");
    const { id } = await begin([shell(npm), writes, done, submits], {
      setup: [npm, get("http://files.pythonhosted.org/")],
      network: [],
    });

    await bench.run(id);

    expect(origin.requests).toEqual(["GET http://registry.npmjs.org/"]);
    expect(answers().join("\n")).not.toContain("from outside");
    const [, setup] = (bench.model.asked[0] ?? [])
      .filter(({ role }) => role === "user")
      .map(({ content }) => String(content));
    expect(setup).toContain("from outside");
    expect(setup).toContain(
      "[The network's proxy refused what the command asked for: files.pythonhosted.org:80 is not allowed here.]",
    );
  });

  it("is the same in a replay, which keeps nothing, and in a fork", async () => {
    const { id } = await begin([
      shell(`${get("http://index.crates.io/")}; ${get("http://a.example.net/")}`),
      done,
      resolves({ $status: "$SUSPEND", reason: "Which?" }),
      shell(get("http://index.crates.io/")),
      writes,
      submits,
    ]);
    await bench.run(id);
    const before = await bench.store.link(id, "refused-hosts");

    const record = await bench.store.thread(id);
    if (record === undefined) throw new Error("the thread is gone");
    const remoteFor = async () => ({ url: bench.repository.repository, token: null });
    const { drift } = await replayed({ ...bench, sandbox, networks: names.networks, remoteFor }, record);
    const fork = await forkThread(bench.engine, id, { at: "1", note: null });
    await bench.run(fork.id);

    expect(drift).toEqual([]);
    expect(await bench.store.link(id, "refused-hosts")).toBe(before);
    expect(origin.requests.map((request) => request.slice(4))).toEqual(
      Array.from({ length: 3 }, () => "http://index.crates.io/"),
    );
  });
});
