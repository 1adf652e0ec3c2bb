import { expect, it } from "vitest";
import { summarizeCall } from "../../../src/cli/call-summary.ts";

it.each([
  ["read_file", { path: "src/a.ts" }, "src/a.ts"],
  ["read_file", { path: "a", offset: 10, limit: 5 }, "a lines 10-14"],
  ["read_file", { path: "a", offset: 10 }, "a from line 10"],
  ["shell_exec", { command: "npm test\n--all", cwd: "web" }, "npm test --all (in web)"],
  ["search_files", { pattern: "x", path: "src", glob: "*.ts" }, '"x" in src (*.ts)'],
  ["list_files", {}, "."],
  ["resolve", { status: "done" }, ""],
  ["my-agent", { command: "my-agent -t 01JD -r coder" }, "my-agent -t 01JD -r coder"],
  ["docs_run", { command: "a", of: "b" }, "command=a of=b"],
  ["unheard_of", { a: 1, b: [2] }, "a=1 b=[2]"],
  ["shell_exec", { command: ["not", "text"] }, '["not","text"]'],
])("says what a call of %s is about: %j", (name, args, summary) => {
  expect(summarizeCall(name, JSON.stringify(args))).toBe(summary);
});

it.each(["{broken", '"text"', "null", ""])("shows arguments that are no object as they are: %j", (args) => {
  expect(summarizeCall("read_file", args)).toBe(args);
});
