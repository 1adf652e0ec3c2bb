#!/usr/bin/env node
// A `step` agent: answers a summary of the last commits. Run as `node release-notes.ts <thread> <role>` by uwf.
import { execFileSync } from "node:child_process";
import { createAgent } from "uwf";

const notes = (workspace: string): string[] =>
  execFileSync("git", ["log", "-5", "--format=%s"], { cwd: workspace, encoding: "utf8" }).trim().split("\n");

const main = createAgent({
  name: "release-notes",
  run: async ({ workspace, task, store }) => {
    console.error(`Asked for: ${task}`);
    const subjects = notes(workspace);
    const answer = `---\nsummary: ${JSON.stringify(subjects.join("; "))}\n---\n`;
    return { output: answer, sessionId: workspace, detailHash: await store.putText(subjects.join("\n")) };
  },
  // Called with what is wrong when the output does not fit the role's schema.
  continue: async (_session, message) => {
    throw new Error(`The role wants more than a summary: ${message}`);
  },
});

await main();
