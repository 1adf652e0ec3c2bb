import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHash } from "../../../src/base/ids.ts";
import type { Json } from "../../../src/base/json.ts";
import { makeNode, refsOf } from "../../../src/store/node.ts";
import type { NodeType } from "../../../src/store/payload.ts";
import { fixtureTime, messageFixture, noUsage, stepFixture, threadFixture } from "../../fixtures/nodes.ts";

const hash = (text: string) => makeNode("text", { encoding: "utf8", text }).hash;

describe("refs by node type", () => {
  const fixture = threadFixture();

  it("finds a role's schema", () => {
    expect(fixture.role.refs).toEqual([fixture.role.payload.schema]);
  });

  it("finds every role of a workflow", () => {
    const roles = { preparer: hash("preparer"), developer: hash("developer"), submitter: hash("submitter") };

    const workflow = makeNode("workflow", { name: "three", description: "", roles, moderator: [] });

    expect(new Set(workflow.refs)).toEqual(new Set(Object.values(roles)));
  });

  it("finds the same refs in the same order for one content, in whatever order its names came", () => {
    const roles = { preparer: hash("preparer"), developer: hash("developer") };
    const { preparer, developer } = roles;
    const workflow = (named: Record<string, string>) =>
      makeNode("workflow", { name: "two", description: "", roles: named, moderator: [] });

    const [one, other] = [workflow({ preparer, developer }), workflow({ developer, preparer })];

    expect(other).toEqual(one);
  });

  it("finds a start's workflow, agents and workspace", () => {
    const { start } = threadFixture({
      agents: { developer: fixture.agent.hash, other: hash("other agent") },
      workspace: hash("workspace"),
    });

    expect(start.refs).toEqual([
      fixture.workflow.hash,
      fixture.agent.hash,
      hash("other agent"),
      hash("workspace"),
    ]);
  });

  it("finds what a step names, its further refs too, each once", () => {
    const turn = messageFixture(null, "hello");
    const { step, output } = stepFixture(fixture, hash("prev"), null, {
      turns: turn.hash,
      workspace: hash("workspace"),
      refs: [hash("one"), turn.hash, hash("two"), hash("one")],
    });

    expect(step.refs).toEqual([
      fixture.start.hash,
      hash("prev"),
      fixture.agent.hash,
      output.hash,
      turn.hash,
      hash("workspace"),
      hash("one"),
      hash("two"),
    ]);
  });

  it.each([
    ["message", { text: "hello" }],
    [
      "reply",
      { model: "m", content: "", reasoning: null, toolCalls: [], finish: "stop", usage: noUsage, ms: 1 },
    ],
    ["tool", { callId: "c", name: "n", ok: true, text: "", seen: {}, ms: 1 }],
    ["compaction", { masked: [], summary: "", kept: 0, usage: null }],
  ] as const)("finds the turn before a %s, and none before the first", (kind, fields) => {
    const turn = (prev: ReturnType<typeof hash> | null) =>
      makeNode("turn", { kind, prev, at: fixtureTime, ...fields } as Parameters<typeof makeNode<"turn">>[1]);

    expect(turn(hash("before")).refs).toEqual([hash("before")]);
    expect(turn(null).refs).toEqual([]);
  });

  it("finds the contents of a workspace's files, deleted ones having none", () => {
    const file = (path: string, content: ReturnType<typeof hash> | null) => ({
      path,
      mode: content === null ? null : ("100644" as const),
      content,
    });

    const { refs } = makeNode("workspace", {
      repository: "/repository",
      base: "b",
      tree: "t",
      files: [file("a", hash("a")), file("b", null), file("c", hash("c")), file("copy of a", hash("a"))],
    });

    expect(refs).toEqual([hash("a"), hash("c")]);
  });

  it("finds what an end names", () => {
    const { refs } = makeNode("thread-end", {
      start: fixture.start.hash,
      prev: hash("prev"),
      status: "completed",
      reason: null,
      turns: hash("turns"),
      workspace: hash("workspace"),
      at: fixtureTime,
    });

    expect(refs).toEqual([fixture.start.hash, hash("prev"), hash("turns"), hash("workspace")]);
  });

  it("takes hashes in a model's own words for words", () => {
    const untrusted = { note: hash("one"), list: [hash("two")] };

    expect(makeNode("output", { value: untrusted }).refs).toEqual([]);
    expect(makeNode("text", { encoding: "utf8", text: hash("three") }).refs).toEqual([]);
    expect(makeNode("role-schema", untrusted).refs).toEqual([]);
    expect(messageFixture(null, hash("four")).refs).toEqual([]);
  });

  it("finds whatever hashes are put in a list of refs", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        const hashes = texts.map(hash);
        const { step } = stepFixture(fixture, null, null, { refs: hashes });

        expect(step.refs).toEqual(expect.arrayContaining(hashes));
        expect(step.refs.every(isHash)).toBe(true);
        expect(new Set(step.refs).size).toBe(step.refs.length);
        expect(refsOf("step", step.payload)).toEqual(step.refs);
      }),
      { numRuns: 30 },
    );
  });
});

describe("making a node", () => {
  const { workflow, role, agent, start } = threadFixture();
  const { step, output } = stepFixture(threadFixture(), null);
  const strict = [workflow, role, agent, start, step, output, messageFixture(null, "m")];
  const make = (type: NodeType, payload: object) => () =>
    makeNode(type, payload as Parameters<typeof makeNode>[1]);

  it.each(strict.map((node) => [node.type, node] as const))(
    "refuses an unknown field of a %s",
    (type, node) => {
      expect(make(type, { ...node.payload, surprise: 1 })).toThrow(/surprise/);
      expect(make(type, { ...node.payload, surprise: 1 })).toThrow(
        expect.objectContaining({ code: "node-invalid", remedy: "fix-input" }),
      );
    },
  );

  it("says which field is wrong", () => {
    expect(make("role", { ...role.payload, limits: { maxTurns: 0 } })).toThrow(/role node: limits\.maxTurns/);
    expect(make("step", { ...step.payload, agent: "nobody" })).toThrow(/step node: agent: not a node hash/);
  });

  it.each([
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["undefined", undefined],
    ["a date", new Date(0)],
    ["a big integer", 1n],
  ])("refuses %s as a value", (_, value) => {
    expect(make("output", { value })).toThrow(expect.objectContaining({ code: "node-invalid" }));
  });

  it("refuses a value that nests too deeply instead of overflowing", () => {
    const deep = JSON.parse("[".repeat(50_000) + "]".repeat(50_000)) as Json;

    expect(() => makeNode("output", { value: deep })).toThrow(/nests too deeply/);
  });

  it("puts the replacement character in the place of half a surrogate pair", () => {
    const cut = makeNode("text", { encoding: "utf8", text: "ok 😀".slice(0, -1) });
    const keyed = makeNode("output", { value: { "\udc00": ["\ud800"] } });

    expect(cut.payload.text).toBe("ok \ufffd");
    expect(keyed.payload.value).toEqual({ "\ufffd": ["\ufffd"] });
  });

  it("leaves the given payload alone", () => {
    const payload = Object.freeze({ encoding: "utf8" as const, text: "half \ud800" });

    makeNode("text", payload);

    expect(payload.text).toBe("half \ud800");
  });
});
