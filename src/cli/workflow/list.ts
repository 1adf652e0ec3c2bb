import { type Hash, shortHash } from "../../base/ids.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson } from "../print.ts";
import type { ReadStore } from "../store-reader.ts";
import { readStore } from "../store-session.ts";
import { styleFor } from "../style.ts";
import { renderTable } from "../table.ts";
import { plainLine } from "../terminal-text.ts";

export const command = defineCommand({
  description:
    "Lists the workflows that can be run by name: those registered with `workflow put`, then those that come with uwf. A registered one goes before a bundled one of the same name. What a repository has of its own in .uwf/workflows goes before both when threads work on it; it is not listed here.",
  arguments: {},
  options: { json: jsonOption },
  examples: ["uwf workflow list"],
  run: ({ options }, context) =>
    readStore(context, async (store) => {
      const listed = [...(await registered(store)), ...(await bundled())];
      const names = new Set<string>();
      const rows = listed.filter(({ name }) => !names.has(name) && names.add(name));
      if (options.json) {
        printJson(context, rows);
        return exitCodes.done;
      }
      const style = await styleFor(context.stdout, context);
      const columns = [
        { title: "NAME", paint: style.bold },
        { title: "FROM" },
        { title: "HASH", paint: style.cyan },
        { title: "DESCRIPTION", flexible: true as const },
      ];
      const cells = rows.map(({ name, origin, hash, description }) => [
        plainLine(name),
        origin,
        shortHash(hash),
        plainLine(description),
      ]);
      context.stdout.write(renderTable(columns, cells, { width: context.stdout.columns(), head: style.dim }));
      return exitCodes.done;
    }),
});

type Listed = { name: string; origin: "registry" | "bundled"; hash: Hash; description: string };

const registered = async (store: ReadStore): Promise<Listed[]> => {
  const entries = await store.workflows();
  const payloads = await store.loadAll(
    "workflow",
    entries.map(({ hash }) => hash),
  );
  return entries.map(({ name, hash }, index) => ({
    name,
    origin: "registry",
    hash,
    description: payloads[index]?.description ?? "",
  }));
};

const bundled = async (): Promise<Listed[]> => {
  const [{ bundledWorkflowNames, readBundledWorkflow }, { loadWorkflow }, { workflowNodes }] =
    await Promise.all([
      import("../../workflow/bundled.ts"),
      import("../../workflow/load.ts"),
      import("../../workflow/nodes.ts"),
    ]);
  const listed: Listed[] = [];
  for (const name of await bundledWorkflowNames()) {
    const text = await readBundledWorkflow(name);
    if (text === undefined) continue;
    const workflow = await loadWorkflow(text, { file: `workflows/${name}.yaml` });
    const { hash } = workflowNodes(workflow).workflow;
    listed.push({ name, origin: "bundled", hash, description: workflow.description });
  }
  return listed;
};
