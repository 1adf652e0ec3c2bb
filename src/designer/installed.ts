import { remembered } from "../base/remembered.ts";
import type { Config } from "../config/config.ts";
import { commandNames } from "../forge/text/command-table.ts";
import type { Store } from "../store/store.ts";
import { bundledWorkflowNames, readBundledWorkflow } from "../workflow/bundled.ts";
import { loadWorkflow } from "../workflow/load.ts";
import { builtinTools } from "../workflow/tool-names.ts";
import type { Catalogue, Trigger } from "./catalogue.ts";

type Installed = Pick<Config, "agents" | "models" | "mcpServers" | "sandbox">;

/** What the configuration and the store have. */
export const installedCatalogue = (
  { agents, models, mcpServers, sandbox }: Installed,
  store: Pick<Store, "workflows" | "load">,
): (() => Promise<Catalogue>) => {
  const bundled = remembered<Catalogue["workflows"]>({
    most: 1,
    forMs: Number.POSITIVE_INFINITY,
    now: () => 0,
  });
  return async () => {
    const registered = await registeredWorkflows(store);
    const names = new Set(registered.map(({ name }) => name));
    return {
      agents: Object.keys(agents),
      tools: builtinTools,
      servers: Object.entries(mcpServers).map(([name, { tools }]) => ({ name, tools: tools ?? null })),
      models: Object.keys(models),
      triggers,
      publishes: ["pull-request", "review"],
      workflows: [
        ...registered,
        ...(await bundled("", bundledWorkflows)).filter(({ name }) => !names.has(name)),
      ],
      network: sandbox.network.length > 0,
    };
  };
};

const triggers: readonly Trigger[] = [
  {
    kind: "label",
    names: "configured",
    does: "a label on an issue, once `labels` in the repository's uwf.yml names the workflow for it",
  },
  {
    kind: "command",
    names: commandNames,
    does: "a comment: `/run <workflow>` always, a word of its own once `commands` in the repository's uwf.yml has it",
  },
  {
    kind: "review",
    names: ["address-review"],
    does: "a review of the bot's own pull request begins the workflow called address-review",
  },
  {
    kind: "checks",
    names: ["fix-ci"],
    does: "failing checks of the bot's own pull request begin the workflow called fix-ci",
  },
  {
    kind: "terminal",
    names: ["manual", "cli"],
    does: "a person at a terminal, by `uwf thread start` or `uwf solve --workflow`",
  },
  {
    kind: "role",
    names: ["workflow"],
    does: "another workflow, one of whose roles it plays",
  },
];

const registeredWorkflows = async (
  store: Pick<Store, "workflows" | "load">,
): Promise<Catalogue["workflows"]> =>
  Promise.all(
    (await store.workflows()).map(async ({ name, hash }) => {
      const { description } = await store.load("workflow", hash);
      return { name, description };
    }),
  );

const bundledWorkflows = async (): Promise<Catalogue["workflows"]> => {
  const names = await bundledWorkflowNames();
  return Promise.all(
    names.map(async (name) => {
      const text = (await readBundledWorkflow(name)) ?? "";
      const { description } = await loadWorkflow(text, { file: `workflows/${name}.yaml` });
      return { name, description };
    }),
  );
};
