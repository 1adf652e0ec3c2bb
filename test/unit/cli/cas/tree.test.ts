import { expect, it } from "vitest";
import { treeLines } from "../../../../src/cli/cas/tree.ts";
import { makeNode, type Node } from "../../../../src/store/node.ts";
import { messageFixture, stepFixture, threadFixture } from "../../../fixtures/nodes.ts";

it("draws chains at one depth, and what was there before once", async () => {
  const fixture = threadFixture();
  const told = messageFixture(null, "first");
  const then = messageFixture(told.hash, "second");
  const first = stepFixture(fixture, null, { n: 1 }, { turns: then.hash });
  const second = stepFixture(fixture, first.step.hash, { n: 2 });
  const all = [...fixture.nodes, told, then, ...first.nodes, ...second.nodes];
  const nodes = new Map<string, Node>(all.map((node) => [node.hash, node]));

  const drawn: string[] = [];
  for await (const { stem, node, repeated } of treeLines(second.step.hash, async (hash) => nodes.get(hash)))
    drawn.push(`${stem}${node?.type}${repeated ? " again" : ""}`);

  expect(drawn).toEqual([
    "step",
    "├─ thread-start",
    "│  ├─ workflow",
    "│  │  └─ role",
    "│  │     └─ role-schema",
    "│  └─ agent",
    "├─ agent again",
    "└─ output",
    "↑ step",
    "├─ thread-start again",
    "├─ agent again",
    "├─ output",
    "└─ turn",
    " ↑ turn",
  ]);
});

it("says what is missing", async () => {
  const lonely = makeNode("output", { value: 1 });
  const lines = [];
  for await (const line of treeLines(lonely.hash, async () => undefined)) lines.push(line);

  expect(lines).toEqual([{ stem: "", hash: lonely.hash, node: undefined, repeated: false }]);
});
