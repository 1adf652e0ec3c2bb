import { AppError } from "../../base/errors.ts";
import { didYouMean } from "../../base/nearest.ts";
import { loadWorkflow } from "../../workflow/load.ts";
import { serverTool } from "../../workflow/tool-names.ts";
import type { Role, Workflow } from "../../workflow/workflow.ts";
import type { Catalogue } from "../catalogue.ts";
import type { DryRun } from "./dry-run.ts";
import { explore } from "./explore.ts";

type CheckOptions = {
  /** What the workflow has to be called. */
  name: string;
  catalogue: Catalogue;
};

/** Loads a file, checks that it uses nothing that is not installed, and dry-runs it; `workflow` is null when it did not load. */
export const checkFile = async (
  source: string,
  { name, catalogue }: CheckOptions,
): Promise<{ workflow: Workflow | null; dryRun: DryRun }> => {
  const loaded = await loadWorkflow(source, { file: `${name}.yaml` }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "workflow-invalid") return error;
    throw error;
  });
  if (loaded instanceof AppError)
    return {
      workflow: null,
      dryRun: { ok: false, problems: loaded.message.split("\n"), edges: [], end_reached: false },
    };
  const problems = [
    ...(loaded.name === name ? [] : [`${name}.yaml: name: must be "${name}", as was agreed`]),
    ...Object.values(loaded.roles).flatMap((role) => notInstalled(role, { ...catalogue, own: name })),
  ].map((problem) => (problem.startsWith(`${name}.yaml`) ? problem : `${name}.yaml: ${problem}`));
  const { edges, end_reached } = await explore(loaded);
  const ok = problems.length === 0 && end_reached && edges.every((edge) => edge.ok);
  return { workflow: loaded, dryRun: { ok, problems, edges, end_reached } };
};

const notInstalled = (
  { name, model, workflow, tools }: Role,
  { models, workflows, servers, own }: Catalogue & { own: string },
): string[] => {
  const aliases = [...models, "default"];
  const others = workflows.map((one) => one.name).filter((one) => one !== own);
  return [
    ...(model === null || aliases.includes(model)
      ? []
      : [`roles.${name}.model: no model is called "${model}"${didYouMean(model, aliases)}`]),
    ...(workflow === null || others.includes(workflow)
      ? []
      : [`roles.${name}.workflow: there is no workflow "${workflow}"${didYouMean(workflow, others)}`]),
    ...(tools ?? []).flatMap((tool) => {
      const named = serverTool(tool);
      if (named === null) return [];
      const server = servers.find((one) => one.name === named.server);
      const isThere =
        server !== undefined &&
        (server.tools === null || named.tool === "*" || server.tools.includes(named.tool));
      return isThere ? [] : [`roles.${name}.tools: no configured MCP server has the tool "${tool}"`];
    }),
  ];
};
