import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { calls, resolves, type ScriptedReply } from "../../../src/llm/scripted-model.ts";
import { developRoles } from "../develop-script.ts";
import { type ModelScript, type ModelServerRequest, roleScript } from "../model-script.ts";

export const issueTitle = (job: number): string => `sum is wrong, job ${job}`;

/** The number in an issue's title: what its commands call themselves. */
export const jobIn = (text: string): number | null => {
  const found = /sum is wrong, job (\d+)/.exec(text);
  return found === null ? null : Number(found[1]);
};

const jobOf = ({ messages }: ModelServerRequest): number => {
  for (const { role, content } of messages) {
    const job = role === "user" ? jobIn(content) : null;
    if (job !== null) return job;
  }
  throw new Error("no job number in the conversation");
};

/** Names of the commands of one job, in order. */
export const markedSteps = ["one", "two", "three"] as const;

/**
 * Work that says outside of the workspace what ran: a line per run of a command, with the directory that it ran in, in a
 * file per command and job in `marks`.
 */
export const markedWork = (marks: string, { seconds }: { seconds: () => number }): ModelScript => {
  const step =
    (name: (typeof markedSteps)[number]) =>
    (request: ModelServerRequest): ScriptedReply => {
      const mark = join(marks, `${jobOf(request)}-${name}`);
      const wait = seconds() > 0 ? `; sleep ${seconds()}` : "";
      return calls("shell_exec", { command: `pwd >> '${mark}'; echo ${name} > ${name}.txt${wait}` });
    };
  return roleScript({
    preparer: [
      step("one"),
      resolves({
        repoPath: "/workspace",
        defaultBranch: "main",
        conventions: null,
        toolchain: { install: null, test: null, lint: null, format: null },
      }),
    ],
    ...developRoles(
      [
        step("two"),
        (request) =>
          calls(
            "patch_file",
            { path: "sum.js", old_text: "a - b", new_text: "a + b" },
            step("three")(request),
          ),
      ],
      {
        summary: "sum subtracted.",
        changes: [{ path: "sum.js", what: "adds" }],
        verification: [{ command: "node --test", result: "passed" }],
      },
    ),
    submitter: [resolves({ title: "Add instead of subtracting", body: "It subtracted." })],
  });
};

/** Where each marked command of a job ran, a line per run. */
export const runsOf = (
  marks: string,
  job: number,
): Readonly<Record<(typeof markedSteps)[number], readonly string[]>> => {
  const there = new Set(readdirSync(marks));
  const runs = (name: string): string[] =>
    there.has(`${job}-${name}`)
      ? readFileSync(join(marks, `${job}-${name}`), "utf8")
          .split("\n")
          .filter((line) => line !== "")
      : [];
  return { one: runs("one"), two: runs("two"), three: runs("three") };
};
