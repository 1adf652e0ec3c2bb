import { expect, it } from "vitest";
import { lookUp } from "../../../../src/workflow/check/look-up.ts";
import { shapesOf } from "../../../../src/workflow/json-schema/shape.ts";

const root = {
  type: "object",
  required: ["title", "tool", "maybe", "files", "free", "tree"],
  properties: {
    title: { type: "string" },
    note: { type: "string" },
    tool: {
      type: "object",
      required: ["test"],
      properties: { test: { type: "string" }, lint: { type: "string" } },
    },
    maybe: {
      anyOf: [{ type: "object", required: ["x"], properties: { x: { type: "string" } } }, { type: "null" }],
    },
    files: {
      type: "array",
      items: { type: "object", required: ["path"], properties: { path: { type: "string" } } },
    },
    free: { type: "object" },
    tree: { $ref: "#/$defs/tree" },
  },
  $defs: { tree: { type: "object", required: ["child"], properties: { child: { $ref: "#/$defs/tree" } } } },
};

it.each([
  ["title", "provided"],
  ["note", "optional"],
  ["nothing", "unknown"],
  ["title.size", "provided"],
  ["title.first", "unknown"],
  ["tool.test", "provided"],
  ["tool.lint", "optional"],
  ["tool.nothing", "unknown"],
  ["maybe", "provided"],
  ["maybe.x", "optional"],
  ["maybe.y", "unknown"],
  ["files.size", "provided"],
  ["files.first.path", "optional"],
  ["files.0.path", "optional"],
  ["files.first.nothing", "unknown"],
  ["free.anything.at.all", "provided"],
  ["tree.child.child.child", "provided"],
  ["tree.child.nothing", "unknown"],
])("%s is %s", (path, kind) => {
  const steps = path.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));

  expect(lookUp(steps, { shapes: shapesOf(root, root), root })).toMatchObject({ kind });
});

it("takes alternatives together", () => {
  const alternatives = {
    oneOf: [
      { type: "object", required: ["a", "b"], properties: { a: { type: "string" }, b: { type: "string" } } },
      { type: "object", required: ["a"], properties: { a: { type: "string" } } },
    ],
  };
  const shapes = shapesOf(alternatives, alternatives);

  expect(lookUp(["a"], { shapes, root: alternatives })).toEqual({ kind: "provided" });
  expect(lookUp(["b"], { shapes, root: alternatives })).toEqual({ kind: "optional" });
  expect(lookUp(["c"], { shapes, root: alternatives })).toEqual({
    kind: "unknown",
    name: "c",
    depth: 0,
    known: ["a", "b", "a"],
  });
});
