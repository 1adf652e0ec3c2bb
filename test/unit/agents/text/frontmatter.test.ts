import { describe, expect, it } from "vitest";
import { z } from "zod";
import { NO_FRONTMATTER, readFrontmatter } from "../../../../src/agents/text/frontmatter.ts";
import { outputSchema } from "../../../../src/workflow/schema.ts";

const schema = z.object({
  status: z.enum(["done", "failed"]),
  summary: z.string(),
  files: z.array(z.string()).optional(),
});
const done = { status: "done", summary: "Fixed." };

const reads: [name: string, text: string, output: unknown][] = [
  ["at the beginning", "---\nstatus: done\nsummary: Fixed.\n---\nMore text.", done],
  ["after blank lines and a mark of byte order", "\uFEFF\n\n---\nstatus: done\nsummary: Fixed.\n---", done],
  ["with Windows line ends", "---\r\nstatus: done\r\nsummary: Fixed.\r\n---\r\n", done],
  ["after chatter", "I am done, here it is:\n\n---\nstatus: done\nsummary: Fixed.\n---\n", done],
  ["in a fence", "Here:\n```yaml\nstatus: done\nsummary: Fixed.\n```\n", done],
  ["in a fence with rulers", "```yaml\n---\nstatus: done\nsummary: Fixed.\n---\n```", done],
  ["in a fence that closes the block", "```yaml\n---\nstatus: done\nsummary: Fixed.\n```", done],
  ["ended by dots", "---\nstatus: done\nsummary: Fixed.\n...\n", done],
  ["as JSON alone", '{"status": "done", "summary": "Fixed."}', done],
  ["as JSON in a fence", 'Result:\n```json\n{"status": "done", "summary": "Fixed."}\n```', done],
  [
    "with lists",
    "---\nstatus: done\nsummary: Fixed.\nfiles: [a.ts, b.ts]\n---",
    { ...done, files: ["a.ts", "b.ts"] },
  ],
  [
    "with a block of lines",
    "---\nstatus: done\nsummary: |\n  One.\n  Two.\n---",
    { status: "done", summary: "One.\nTwo.\n" },
  ],
  [
    "the last of two after chatter",
    "Draft:\n\n---\nstatus: failed\nsummary: Not yet.\n---\n\nNow:\n\n---\nstatus: done\nsummary: Fixed.\n---\n",
    done,
  ],
  [
    "the first where the answer begins with it",
    "---\nstatus: done\nsummary: Fixed.\n---\nThe docs show:\n---\nstatus: failed\nsummary: Example.\n---\n",
    done,
  ],
  ["past a ruler in prose", "One\n\n---\n\nTwo\n\n---\nstatus: done\nsummary: Fixed.\n---\n", done],
  [
    "past a block of other fields",
    "---\ntitle: A page\n---\nText.\n\n---\nstatus: done\nsummary: Fixed.\n---\n",
    done,
  ],
];

describe("readFrontmatter", () => {
  it.each(reads)("reads a block %s", async (_, text, output) => {
    expect(await readFrontmatter(text, schema)).toEqual({ ok: true, value: output });
  });

  it("keeps what must be a string as it was written", async () => {
    const text = "---\nversion: 1.10\ncommit: 0123456\nwhen: 2026-11-21\ncount: 3\nsure: true\n---";
    const shape = z.object({
      version: z.string(),
      commit: z.string(),
      when: z.string(),
      count: z.number(),
      sure: z.boolean(),
    });

    expect(await readFrontmatter(text, shape)).toEqual({
      ok: true,
      value: { version: "1.10", commit: "0123456", when: "2026-11-21", count: 3, sure: true },
    });
  });

  it("takes a suspension from every role", async () => {
    const text = "---\n$status: $SUSPEND\nreason: The key is missing.\n---";

    expect(await readFrontmatter(text, outputSchema({ type: "object", required: ["a"] }))).toEqual({
      ok: true,
      value: { $status: "$SUSPEND", reason: "The key is missing." },
    });
  });

  it("says which field is wrong", async () => {
    expect(await readFrontmatter("---\nstatus: nearly\n---", schema)).toEqual({
      ok: false,
      problems: 'status: must be one of "done", "failed"\nsummary: missing, must be a string',
    });
  });

  it("says on which line of the answer the YAML is wrong", async () => {
    const read = await readFrontmatter("Well.\n\n---\nstatus: done\nsummary: Fix: it\n---", schema);

    expect(read).toMatchObject({ ok: false, problems: expect.stringMatching(/^line 5, column \d+: /) });
  });

  it.each([
    ["prose", "I fixed the bug in src/a.ts."],
    ["nothing", ""],
    ["a block that is never closed", "---\nstatus: done\nsummary: Fixed.\n"],
    ["prose between rulers", "---\nJust words\n---"],
    ["rulers alone", "---\n---\n---"],
  ])("finds no frontmatter in %s", async (_, text) => {
    expect(await readFrontmatter(text, schema)).toEqual({ ok: false, problems: NO_FRONTMATTER });
  });

  it.each([
    [
      "an alias bomb",
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
        .split("")
        .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${"abcdefghi"[i]}`).join(",")}]`)
        .join("\n")}\n---`,
    ],
    ["deep nesting", `---\na: ${"[".repeat(5_000)}${"]".repeat(5_000)}\n---`],
    ["a key of the language", "---\n__proto__: { status: done }\nsummary: x\n---"],
    ["a tag", "---\nstatus: !!js/function 'x'\nsummary: x\n---"],
    ["the same key twice", "---\nstatus: done\nstatus: failed\nsummary: x\n---"],
    ["a hundred thousand rulers", "---\n".repeat(100_000)],
  ])("is not harmed by %s", async (_, text) => {
    const started = performance.now();

    expect(await readFrontmatter(text, schema)).toMatchObject({ ok: false });
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("a schema that wants the text of the answer", () => {
  const withBody = outputSchema({
    type: "object",
    required: ["summary", "_body"],
    properties: { summary: { type: "string" }, _body: { type: "string" } },
  });

  it.each([
    ["below the block", "---\nsummary: Short.\n---\n\n# Long\n\nText.\n", "# Long\n\nText."],
    ["below the block, with Windows line ends", "---\r\nsummary: Short.\r\n---\r\nLong.\r\n", "Long."],
    ["among the fields, where it is there", "---\nsummary: Short.\n_body: Long.\n---\nMore.", "Long."],
  ])("finds it %s", async (_, text, body) => {
    expect(await readFrontmatter(text, withBody)).toMatchObject({
      value: { summary: "Short.", _body: body },
    });
  });

  it("misses it where nothing stands below", async () => {
    expect(await readFrontmatter("---\nsummary: Short.\n---\n", withBody)).toMatchObject({ ok: false });
  });

  it("gives it to no other schema", async () => {
    const read = await readFrontmatter("---\nstatus: done\nsummary: Short.\n---\nLong.", schema);

    expect(read).toEqual({ ok: true, value: { status: "done", summary: "Short." } });
  });
});
