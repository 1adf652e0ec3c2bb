import { afterAll, describe, expect, it } from "vitest";
import { makeNode } from "../../../src/store/node.ts";
import type { StepRecord } from "../../../src/store/store.ts";
import { admittedFile, isAlone } from "../../../src/worker/publish/admitted-file.ts";
import { requireUnprotected } from "../../../src/worker/publish/protected-paths.ts";
import type { PublishedTree } from "../../../src/workspace/published-tree.ts";
import { treeOf } from "../../fixtures/published-tree.ts";
import { temporaryStore } from "../../fixtures/temporary-store.ts";
import { triageFile } from "../../rigs/designer-story.ts";

const PATH = ".uwf/workflows/triage.yaml";
const ADMITTED = { path: PATH, text: triageFile };

describe("what may be published below .uwf/workflows", () => {
  const temporary = temporaryStore();
  afterAll(() => temporary.dispose());
  const content = makeNode("text", { encoding: "utf8", text: triageFile });
  const completed = { status: "completed", path: PATH, content: content.hash };
  const agents = {
    designer: makeNode("agent", { adapter: "designer", name: "designer", model: "m", modelName: "m" }),
    react: makeNode("agent", { adapter: "react", name: "builtin", model: "m", modelName: "m" }),
  };

  const admitted = async (last: { agent: keyof typeof agents; output: unknown }) => {
    await temporary.store.put([content, ...Object.values(agents)]);
    const step = { step: { agent: agents[last.agent].hash }, output: last.output } as unknown as StepRecord;
    return admittedFile(temporary.store, { steps: [step] });
  };

  it("is what the designer has answered in the step before", async () => {
    expect(await admitted({ agent: "designer", output: completed })).toMatchObject(ADMITTED);
  });

  it.each<[string, Parameters<typeof admitted>[0]]>([
    ["the same answer of another agent", { agent: "react", output: completed }],
    ["a conversation that goes on", { agent: "designer", output: { ...completed, status: "asked" } }],
    ["another path", { agent: "designer", output: { ...completed, path: ".github/workflows/triage.yaml" } }],
    [
      "another workflow's path",
      { agent: "designer", output: { ...completed, path: ".uwf/workflows/x.yaml" } },
    ],
    ["a path that leads elsewhere", { agent: "designer", output: { ...completed, path: "../triage.yaml" } }],
    ["no answer", { agent: "designer", output: null }],
  ])("is not %s", async (_, last) => {
    expect(await admitted(last)).toBeNull();
  });

  it("is nothing before a first step", async () => {
    expect(await admittedFile(temporary.store, { steps: [] })).toBeNull();
  });
});

describe("a file that was made", () => {
  type Change = PublishedTree["changes"][number];
  const made: Change = { path: PATH, was: null, mode: "100644", object: "o1" };
  const alone = (changes: readonly Change[], text = triageFile) =>
    isAlone(ADMITTED, { changes: [...changes], bytes: async () => Buffer.from(text) });

  it("is alone as the only change, new or in the place of a file", async () => {
    expect(await alone([made])).toBe(true);
    expect(await alone([{ ...made, was: "100644" }])).toBe(true);
  });

  it.each<[string, readonly Change[]]>([
    ["no change", []],
    ["another one beside it", [made, { ...made, path: "b.txt" }]],
    ["another path", [{ ...made, path: ".uwf/workflows/Triage.yaml" }]],
    ["a program", [{ ...made, mode: "100755" }]],
    ["a link", [{ ...made, mode: "120000" }]],
    ["its removal", [{ ...made, was: "100644", mode: null }]],
    ["one in the place of a link", [{ ...made, was: "120000" }]],
    ["one in the place of a program", [{ ...made, was: "100755" }]],
  ])("is not alone as %s", async (_, changes) => {
    expect(await alone(changes)).toBe(false);
  });

  it("is not alone with other bytes", async () => {
    expect(await alone([made], `${triageFile}\n`)).toBe(false);
  });
});

describe("protected paths, but for a file that was made and checked,", () => {
  const publish = (protectedPaths: string[], text = "made") =>
    requireUnprotected(
      { ...treeOf({ changed: [PATH] }), bytes: async () => Buffer.from("made") },
      { protectedPaths },
      { path: PATH, text },
    );

  it("let it be published", async () => {
    await expect(publish([])).resolves.toBeUndefined();
    await expect(publish(["infra/**", ".uwf/workflows/other.yaml"])).resolves.toBeUndefined();
    await expect(publish([], "another")).rejects.toMatchObject({ code: "protected-path" });
  });

  it.each([".uwf/**", "**/*.yaml", PATH])(
    "keep it from being published by the repository's own %s",
    async (glob) => {
      await expect(publish([glob])).rejects.toMatchObject({ code: "protected-path" });
    },
  );
});
