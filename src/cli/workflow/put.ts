import { shortHash } from "../../base/ids.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson } from "../print.ts";
import { withStore } from "../store-session.ts";
import { styleFor } from "../style.ts";

export const command = defineCommand({
  description:
    "Checks a workflow file, stores it, and registers it under its name, so that `--workflow <name>` finds it. Threads that run keep the workflow that they began with.",
  arguments: { file: { summary: "A workflow file (YAML)." } },
  options: { json: jsonOption },
  examples: ["uwf workflow put .uwf/workflows/triage.yaml"],
  run: async ({ arguments: { file }, options }, context) => {
    const [{ loadWorkflowFile }, { workflowNodes }] = await Promise.all([
      import("./load-file.ts"),
      import("../../workflow/nodes.ts"),
    ]);
    const loaded = await loadWorkflowFile(file, context);
    const { workflow, nodes } = workflowNodes(loaded);
    const before = await withStore(context, async (store) => {
      const registered = await store.workflowHash(loaded.name);
      await store.put(nodes);
      await store.registerWorkflow(loaded.name, workflow.hash);
      return registered;
    });
    const change = before === undefined ? "new" : before === workflow.hash ? "unchanged" : "replaced";
    if (options.json) printJson(context, { name: loaded.name, hash: workflow.hash, change });
    else {
      const style = await styleFor(context.stdout, context);
      const was = change === "replaced" && before !== undefined ? `was ${shortHash(before)}` : change;
      context.stdout.write(
        `${style.green("✓")} ${loaded.name} ${style.cyan(shortHash(workflow.hash))} ${style.dim(`(${was})`)}\n`,
      );
    }
    return exitCodes.done;
  },
});
