import { describe, expect, it } from "vitest";
import { z } from "zod";
import { inputError } from "../../../src/base/errors.ts";
import { defineTool, type ToolContext } from "../../../src/tools/tool.ts";
import { toolbox } from "../../../src/tools/toolbox.ts";
import { toolBench } from "../../fixtures/tool-context.ts";

const tool = (name: string, run: (context: ToolContext) => string = () => name) =>
  defineTool({
    name,
    description: `The ${name} tool.`,
    effect: name.startsWith("write") ? "write" : "read",
    input: z.object({ count: z.int().optional(), deep: z.boolean().default(false) }),
    run: async (input, context) => (name === "echo" ? JSON.stringify(input) : run(context)),
  });

const box = async (...tools: ReturnType<typeof tool>[]) => toolbox(tools, (await toolBench()).context);

describe("toolbox", () => {
  it("describes its tools with defaulted fields optional", async () => {
    const { definitions } = await box(tool("read_file"));

    expect(definitions).toEqual([
      {
        type: "function",
        function: {
          name: "read_file",
          description: "The read_file tool.",
          parameters: {
            type: "object",
            properties: {
              count: expect.objectContaining({ type: "integer" }),
              deep: { default: false, type: "boolean" },
            },
          },
        },
      },
    ]);
  });

  it.each(["read_file", "Read_File", "ReadFile", "read-file", "functions.read_file"])(
    "runs %s",
    async (name) => {
      const tools = await box(tool("read_file"));

      expect(await tools.run(name, {})).toEqual({ ok: true, text: "read_file" });
    },
  );

  it("names the three nearest for an unknown name, which changes nothing", async () => {
    const tools = await box(tool("read_file"), tool("write_file"), tool("list_files"), tool("shell_exec"));

    const answer = await tools.run("open_file", {});

    expect(answer.ok).toBe(false);
    expect(answer.text).toMatch(/^There is no tool "open_file"\. The nearest: (\w+), (\w+), (\w+)\.$/);
    expect(answer.text).toContain("read_file");
    expect(tools.effect("open_file")).toBe("read");
    expect(tools.effect("WRITE_FILE")).toBe("write");
  });

  it("answers a failure with its hint, and lets cancellation through", async () => {
    const failing = tool("fails", () => {
      throw inputError("path-outside", "/x is outside.", "Stay inside.");
    });
    const cancelled = tool("cancelled", () => {
      throw new DOMException("stop", "AbortError");
    });
    const tools = await box(failing, cancelled);

    expect(await tools.run("fails", {})).toEqual({ ok: false, text: "fails: /x is outside.\nStay inside." });
    await expect(tools.run("cancelled", {})).rejects.toThrow("stop");
  });

  it("remembers failed patches for its tools", async () => {
    const counting = tool("count", ({ patchFailures }) => {
      patchFailures?.set("a", (patchFailures.get("a") ?? 0) + 1);
      return String(patchFailures?.get("a"));
    });
    const { context } = await toolBench();
    const tools = toolbox([counting], {
      workspace: context.workspace,
      signal: context.signal,
      seen: new Map(),
    });

    await tools.run("count", {});

    expect((await tools.run("count", {})).text).toBe("2");
  });

  it("takes null for an argument left out", async () => {
    const tools = await box(tool("echo"));

    expect((await tools.run("echo", { count: null })).text).toBe('{"deep":false}');
    expect((await tools.run("echo", { count: "five" })).text).toContain("- count:");
  });

  it("gives a tool the signal and the output of its call", async () => {
    const pieces: string[] = [];
    const speaking = tool("speaks", ({ onOutput, signal }) => {
      onOutput?.("piece");
      return String(signal.aborted);
    });
    const tools = await box(speaking);

    const signal = AbortSignal.abort();
    const answer = await tools.run("speaks", {}, { signal, onOutput: (piece) => pieces.push(piece) });

    expect(answer.text).toBe("true");
    expect(pieces).toEqual(["piece"]);
  });
});
