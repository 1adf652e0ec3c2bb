import {
  chmodSync,
  closeSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Input, openInput } from "../../../../src/workspace/sandbox/input.ts";

const textOf = (input: Exclude<Input, { kind: "pipe" }>): string => {
  const fd = openInput(input);
  try {
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
};

describe("openInput", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "uwf-input-test-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("opens a file as it is by then", () => {
    const path = join(folder, "file");
    writeFileSync(path, "first", { mode: 0o644 });
    const input: Input = { kind: "file", path };
    writeFileSync(path, "then");

    expect(textOf(input)).toBe("then");
  });

  it("opens nothing in place of a file that is gone, or that not everybody may read", () => {
    const closed = join(folder, "closed");
    writeFileSync(closed, "secret");
    chmodSync(closed, 0o640);

    expect(textOf({ kind: "file", path: closed })).toBe("");
    expect(textOf({ kind: "file", path: join(folder, "gone") })).toBe("");
  });

  it.skipIf(process.platform !== "linux")("gives a text a file that has no name any more", () => {
    const fd = openInput({ kind: "nameless", text: "a text\n" });

    expect(readlinkSync(`/proc/self/fd/${fd}`)).toMatch(/ \(deleted\)$/);
    expect(readFileSync(fd, "utf8")).toBe("a text\n");
    closeSync(fd);
  });
});
