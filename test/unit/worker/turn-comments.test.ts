import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Hash, newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { DesignTurn } from "../../../src/forge/text/design-turn.ts";
import { makeNode, type Node } from "../../../src/store/node.ts";
import { liveReporter, type Reporter } from "../../../src/worker/report.ts";
import { type FakeForge, fakeForge, forgesOf } from "../../fixtures/fake-forge.ts";
import { noUsage, threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const source = {
  forge: "github" as const,
  repository: "acme/parser",
  defaultBranch: "main",
  issue: { number: 12, title: "Sort new issues", url: "https://h/acme/parser/issues/12" },
  requester: { login: "mona", id: 1 },
  installationId: 17,
};
const saying = (text: string): DesignTurn => ({
  ...{ language: "en", said: [text], failed: null, questions: [], alternatives: [], draft: null },
});

describe("the comments of a conversation", () => {
  let temporary: TemporaryStore;
  let forge: FakeForge;
  let reporters: Reporter[];
  beforeEach(() => {
    temporary = temporaryStore();
    forge = fakeForge();
    reporters = [];
  });
  afterEach(async () => {
    await Promise.all(reporters.map((reporter) => reporter.close()));
    await temporary.dispose();
  });

  const process = (): Reporter => {
    const { store } = temporary;
    const reporter = liveReporter({ store, forges: forgesOf(forge), log: silentLog });
    reporters.push(reporter);
    return reporter;
  };
  const fixture = threadFixture({ source });
  const agentOf = (adapter: "designer" | "react") =>
    makeNode("agent", { adapter, name: adapter, model: "default", modelName: "scripted" });
  const startBy = (agent: Node<"agent">, more: { follows?: Hash } = {}) =>
    makeNode("thread-start", { ...fixture.start.payload, agents: { developer: agent.hash }, ...more });
  const stepsAfter = (begun: Node<"thread-start">, agent: Node<"agent">, texts: readonly string[]) => {
    const nodes: Node[] = [];
    let head: Hash | null = null;
    for (const text of texts) {
      const said = makeNode("text", { encoding: "utf8", text: JSON.stringify(saying(text)) });
      const output = makeNode("output", { value: { status: "asked", summary: text, said: said.hash } });
      const step: Node = makeNode("step", {
        ...{
          start: begun.hash,
          prev: head,
          role: "developer",
          agent: agent.hash,
          task: "Talk.",
          turns: null,
        },
        ...{ output: output.hash, workspace: null, refs: [], published: null, usage: noUsage },
        ...{ startedAt: 1, finishedAt: 2 },
      });
      nodes.push(said, output, step);
      head = step.hash;
    }
    return { nodes, head: head ?? begun.hash };
  };
  /** A conversation that waits after these steps; `since`: it is a fork that goes on with those. */
  const conversation = async (
    texts: readonly string[],
    { since = [] as readonly string[], adapter = "designer" as "designer" | "react" } = {},
  ): Promise<ThreadId> => {
    const id = newThreadId();
    const agent = agentOf(adapter);
    const begun = startBy(agent);
    const before = stepsAfter(begun, agent, texts);
    const fork = since.length === 0 ? begun : startBy(agent, { follows: before.head });
    const after = stepsAfter(fork, agent, since);
    const nodes = [...fixture.nodes, agent, begun, ...before.nodes, fork, ...after.nodes];
    await temporary.store.createThread(
      threadRecord(fixture, { id, start: fork.hash, head: fork.hash }),
      nodes,
    );
    const { head } = since.length === 0 ? before : after;
    await temporary.store.advance(id, {}, { status: "suspended", head });
    return id;
  };
  const turns = () =>
    [...forge.comments.values()].map(({ body }) => body).filter((body) => body.includes("uwf:turn"));
  const containing = (text: string) => expect.stringContaining(text);
  const noted = (id: ThreadId) => temporary.store.link(id, "turns");

  it("are one of each step, in their order, however many processes show the thread at once", async () => {
    const id = await conversation(["first", "second", "third"]);

    await Promise.all([process().show(id), process().show(id), process().show(id)]);

    expect(turns()).toEqual([containing("first"), containing("second"), containing("third")]);
    expect(await noted(id)).toBe("3");
  });

  it("are not made again by a process that finds one whose maker died before it could note it", async () => {
    const id = await conversation(["first", "second"]);
    await process().show(id);
    await temporary.store.setLink(id, "turns", "1");

    await process().show(id);

    expect(turns()).toHaveLength(2);
    expect(await noted(id)).toBe("2");
  });

  it("stay away once somebody has deleted them", async () => {
    const id = await conversation(["first"]);
    await process().show(id);
    for (const [comment, { body }] of forge.comments)
      if (body.includes("uwf:turn")) forge.comments.delete(comment);

    await process().show(id);

    expect(turns()).toEqual([]);
  });

  it("are made of what is left when the forge refused one", async () => {
    const id = await conversation(["first", "second"]);
    await process().show(id);
    await temporary.store.setLink(id, "turns", "0");
    for (const [comment, { body }] of forge.comments)
      if (body.includes("second")) forge.comments.delete(comment);

    await process().show(id);

    expect(turns()).toEqual([containing("first"), containing("second")]);
  });

  it("say of a fork what it has said itself", async () => {
    const id = await conversation(["first", "second"], { since: ["another third"] });

    await process().show(id);

    expect(turns()).toEqual([containing("another third")]);
  });

  it("say nothing that another agent has said", async () => {
    const id = await conversation(["first"], { adapter: "react" });

    await process().show(id);

    expect(turns()).toEqual([]);
  });
});
