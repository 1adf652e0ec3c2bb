import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { readStore } from "../store-session.ts";
import { workflowArgument } from "./workflow-argument.ts";

export const command = defineCommand({
  description: "Prints a workflow as a Mermaid flowchart, which GitHub, Forgejo and most editors draw.",
  arguments: { workflow: workflowArgument },
  options: {},
  examples: ["uwf workflow graph solve-issue > solve-issue.mmd"],
  run: ({ arguments: { workflow: name } }, context) =>
    readStore(context, async (store) => {
      const [{ findWorkflowHere }, { mermaid }] = await Promise.all([
        import("./find-here.ts"),
        import("../../workflow/mermaid.ts"),
      ]);
      const { workflow } = await findWorkflowHere(name, { store, cwd: context.cwd });
      context.stdout.write(mermaid(workflow));
      return exitCodes.done;
    }),
});
