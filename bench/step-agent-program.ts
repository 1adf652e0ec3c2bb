import { createAgent } from "../src/api.ts";

/** A `step` agent that answers at once; called with nothing, it only starts and ends. */
const main = createAgent({
  name: "at-once",
  run: async () => ({ output: "---\nstatus: done\n---\n", sessionId: "one" }),
  continue: async () => ({ output: "---\nstatus: done\n---\n", sessionId: "one" }),
});

if (process.argv.length > 2) await main();
