import ts from "typescript";
import { describe, expect, it } from "vitest";
import { publicExports } from "../../../docs/generate/exports.ts";

const api = publicExports(new URL("../../../src/api.ts", import.meta.url));

/** Of the language and its libraries; and what the store keeps, which programs only pass on. */
const elsewhere = new Set([
  ...["AbortSignal", "AsyncGenerator", "Error", "Extract", "Iterable", "Omit", "Partial", "Pick", "Promise"],
  ...["Readonly", "ReadonlySet", "Record", "Uint8Array", "const"],
  ...["History", "Node", "Turn", "TurnOf"],
]);

const typesIn = (code: string): string[] => {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) names.push(node.typeName.text);
    ts.forEachChild(node, visit);
  };
  const declared = /^(type|interface|class|const)\b/.test(code) ? code : `declare function ${code};`;
  visit(ts.createSourceFile("code.ts", declared, ts.ScriptTarget.Latest, true));
  return names;
};

describe("the TypeScript API", () => {
  it.each(api)("says what $name is", ({ doc }) => {
    expect(doc).toMatch(/\w.*[.:]$/s);
  });

  it("gives the types that it speaks of", () => {
    const given = new Set(api.map(({ name }) => name));
    const unknown = api.flatMap(({ name, code }) =>
      typesIn(code)
        .filter((type) => !given.has(type) && !elsewhere.has(type) && !isParameter(type))
        .map((type) => `${name}: ${type}`),
    );

    expect(unknown).toEqual([]);
  });
});

const isParameter = (name: string): boolean => /^[A-Z]$/.test(name);

describe("publicExports", () => {
  it("shows functions by their heads, classes without bodies, and types whole", () => {
    const codeOf = (name: string) => api.find((one) => one.name === name)?.code;

    expect(codeOf("loadWorkflow")).toBe(
      "loadWorkflow(source: string | Uint8Array, options: LoadOptions): Promise<Workflow>",
    );
    expect(codeOf("AppError")).toMatch(/^class AppError extends Error \{\n {2}readonly code: string;/);
    expect(codeOf("AppError")).not.toContain("super(");
    expect(codeOf("Remedy")).toBe('type Remedy = "retry" | "fix-input" | "fix-config" | "bug"');
    expect(codeOf("Price")).toMatch(/^const Price = z\.strictObject\(/);
    expect(codeOf("silentLog")).toBe("silentLog: Log");
  });

  it("refuses a module that does more than pass on", () => {
    expect(() => publicExports(new URL("../../../src/base/log.ts", import.meta.url))).toThrow(
      "only `export { … } from",
    );
  });
});
