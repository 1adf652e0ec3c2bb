#!/usr/bin/env node
// A `step` agent: sums up what the roles before have answered. uwf calls it as `sum-up.ts <thread> <role>`.
import { createAgent } from "uwf";

const main = createAgent({
  name: "sum-up",
  run: async ({ task, steps, store }) => {
    console.error(`Asked for: ${task}`);
    const lines = steps.map(({ role, output }) => `${role}: ${JSON.stringify(output)}`);
    const answer = `---\nsummary: ${JSON.stringify(lines.join("; "))}\n---\n`;
    return { output: answer, sessionId: "the only one", detailHash: await store.putText(lines.join("\n")) };
  },
  // Called with what is wrong where the output does not fit the role's schema.
  continue: async (_session, message) => {
    throw new Error(`The role wants more than a summary. ${message}`);
  },
});

await main();
