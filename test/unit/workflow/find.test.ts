import { describe, expect, it } from "vitest";
import type { Hash } from "../../../src/base/ids.ts";
import { makeNode, type Node } from "../../../src/store/node.ts";
import type { Store } from "../../../src/store/store.ts";
import { findWorkflow, type WorkflowPlaces } from "../../../src/workflow/find.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { workflowNodes } from "../../../src/workflow/nodes.ts";
import { oneRole, textSchema } from "./workflow-files.ts";

const file = (description: string): string =>
  `description: ${description}\n${oneRole(`a: { systemPrompt: A, schema: ${textSchema} }`)}`;

const stored = workflowNodes(await loadWorkflow(file("stored"), { file: "w.yaml" }));

const storeOf = (nodes: Node[], registry: Record<string, Hash> = {}): Store => {
  const get = async (hash: string) => nodes.find((node) => node.hash === hash);
  const load = async (_: string, hash: string) => (await get(hash))?.payload;
  const store = {
    get,
    load,
    loadAll: (type: string, hashes: string[]) => Promise.all(hashes.map((hash) => load(type, hash))),
    findHashes: async (prefix: string) =>
      nodes.map(({ hash }) => hash).filter((hash) => hash.startsWith(prefix)),
    workflowHash: async (name: string) => new Map(Object.entries(registry)).get(name),
  };
  return store as unknown as Store;
};

const places = (more: Partial<WorkflowPlaces> = {}): WorkflowPlaces => ({
  store: storeOf([]),
  readPath: null,
  readRepository: null,
  readBundled: async () => undefined,
  ...more,
});

const everywhere = places({
  store: storeOf(stored.nodes, { w: stored.workflow.hash }),
  readPath: async () => file("path"),
  readRepository: async () => file("repository"),
  readBundled: async () => file("bundled"),
});

describe("findWorkflow", () => {
  it.each([
    [stored.workflow.hash, "hash"],
    [stored.workflow.hash.slice(0, 8).toLowerCase(), "hash"],
    ["./some/w.yaml", "path"],
    ["w.yml", "path"],
    ["w", "repository"],
  ])("takes %s from the %s", async (name, origin) => {
    expect(await findWorkflow(name, everywhere)).toMatchObject({ origin });
  });

  it("takes nobody's by its hash where that is not asked for: the store's are other repositories' as well", async () => {
    const hash = stored.workflow.hash.slice(0, 8).toLowerCase();
    const fromForge = { ...everywhere, byHash: false, readRepository: async () => undefined };

    await expect(findWorkflow(hash, { ...fromForge, readBundled: async () => undefined })).rejects.toThrow(
      "there is no workflow",
    );
  });

  it("goes on to the registry, and then to the bundled ones", async () => {
    const elsewhere = { ...everywhere, readRepository: async () => undefined };

    expect(await findWorkflow("w", elsewhere)).toMatchObject({
      origin: "registry",
      workflow: { description: "stored" },
    });
    expect(await findWorkflow("w", { ...elsewhere, store: storeOf([]) })).toMatchObject({
      origin: "bundled",
      workflow: { description: "bundled" },
    });
  });

  it("reads the file of the name, and no other, from the repository", async () => {
    const asked: string[] = [];
    const readRepository = async (path: string) => {
      asked.push(path);
      return file("repository");
    };

    await findWorkflow("my-flow", places({ readRepository }));

    expect(asked).toEqual([".uwf/workflows/my-flow.yaml"]);
  });

  it("finds those that come with the program", async () => {
    const { readBundled: _, ...bundled } = places();

    expect(await findWorkflow("solve-issue", bundled)).toMatchObject({
      origin: "bundled",
      workflow: { name: "solve-issue" },
    });
  });

  it("does not take another for the designer's own, however old it is", async () => {
    const { readBundled: _, ...bundled } = places({
      store: storeOf(stored.nodes, { design: stored.workflow.hash }),
    });

    expect(await findWorkflow("design", bundled)).toMatchObject({
      origin: "bundled",
      workflow: { name: "design", roles: { designer: {}, submitter: {} } },
    });
    const readRepository = async () => file("repository").replace("name: w", "name: design");
    await expect(findWorkflow("design", { ...bundled, readRepository })).rejects.toMatchObject({
      code: "workflow-invalid",
      message: expect.stringContaining(".uwf/workflows/design.yaml:2:7:"),
    });
  });

  it.each([
    ["../../etc/passwd", "workflow-name"],
    ["/etc/passwd", "workflow-name"],
    ["..\\secrets", "workflow-name"],
    ["secrets.yaml", "workflow-name"],
    ["..", "workflow-name"],
    ["a b", "workflow-name"],
    ["", "workflow-name"],
    ["nothing", "workflow-unknown"],
    ["constructor", "workflow-unknown"],
    ["0".repeat(52), "workflow-unknown"],
  ])("has no %j for the bot", async (name, code) => {
    await expect(findWorkflow(name, places())).rejects.toMatchObject({ code, remedy: "fix-input" });
  });

  it("does not take the hash of another node for a workflow's", async () => {
    const text = makeNode("text", { encoding: "utf8", text: "x" });

    await expect(
      findWorkflow(text.hash.slice(0, 8), places({ store: storeOf([text]) })),
    ).rejects.toMatchObject({ code: "workflow-unknown" });
  });

  it("says when a hash is the beginning of several", async () => {
    const twin = { ...stored.workflow, hash: `${stored.workflow.hash.slice(0, 51)}0` as Hash };

    await expect(
      findWorkflow(twin.hash.slice(0, 10), places({ store: storeOf([stored.workflow, twin]) })),
    ).rejects.toMatchObject({ code: "workflow-ambiguous" });
  });

  it("names the place of a broken file", async () => {
    const broken = places({ readRepository: async () => "name: w" });

    await expect(findWorkflow("w", broken)).rejects.toThrow(/^\.uwf\/workflows\/w\.yaml:1:1: roles: missing/);
  });

  it("says that a file is not there, or why it cannot be read", async () => {
    const unreadable = async () => {
      throw new Error("EACCES: permission denied");
    };

    await expect(findWorkflow("./w.yaml", places({ readPath: async () => undefined }))).rejects.toMatchObject(
      { code: "workflow-unknown" },
    );
    await expect(findWorkflow("./w.yaml", places({ readPath: unreadable }))).rejects.toThrow(
      /w\.yaml cannot be read: EACCES/,
    );
  });
});
