import { expect, it } from "vitest";
import { errorStream } from "../../../../src/agents/command/error-stream.ts";
import { redactor } from "../../../../src/base/redact.ts";

const streamWith = (...secrets: string[]) => {
  const lines: string[] = [];
  return { lines, stream: errorStream({ redact: redactor(secrets), onLine: (line) => lines.push(line) }) };
};

it("tells whole lines as they come, and the rest at the end", () => {
  const { lines, stream } = streamWith();

  for (const piece of ["one\ntw", "o\n", "three"]) stream.push(piece);
  expect(lines).toEqual(["one\n", "two\n"]);

  expect(stream.end()).toBe("one\ntwo\nthree\n");
  expect(lines).toEqual(["one\n", "two\n", "three\n"]);
});

it("masks a secret that comes in pieces", () => {
  const { lines, stream } = streamWith("sk-secret-value");

  for (const piece of ["key sk-sec", "ret-va", "lue!\n"]) stream.push(piece);

  expect(stream.end()).toBe("key [redacted]!\n");
  expect(lines).toEqual(["key [redacted]!\n"]);
});

it("leaves out what only a terminal understands", () => {
  const { stream } = streamWith();

  stream.push("\u001B[31mred\u001B[0m\n10%\r100%\r\nbell\u0007\n");

  expect(stream.end()).toBe("red\n100%\nbell\n");
});

it("keeps the end of a long one, and says how much went before", () => {
  const { lines, stream } = streamWith();
  for (let line = 0; line < 20_000; line++) stream.push(`line ${line} of many\n`);

  const text = stream.end();

  expect(text).toMatch(/^\[… \d+ characters left out …\]\n/);
  expect(text.endsWith("line 19999 of many\n")).toBe(true);
  expect(text.length).toBeLessThan(66_000);
  expect(lines).toHaveLength(20_000);
});

it("does not wait for ever for the end of a line", () => {
  const { lines, stream } = streamWith();

  stream.push("x".repeat(20_000));

  expect(lines).toEqual([`${"x".repeat(20_000)}\n`]);
});
