/** What is installed here: what a workflow can be made of. */
export type Catalogue = {
  /** Those that play roles, by their names in the configuration. */
  agents: readonly string[];
  /** The built-in tools. */
  tools: readonly string[];
  /** Servers of the Model Context Protocol; `tools`: of theirs only these, null: all that they have. */
  servers: readonly { name: string; tools: readonly string[] | null }[];
  /** Aliases of the configured models. */
  models: readonly string[];
  /** What can begin a workflow. */
  triggers: readonly Trigger[];
  /** What the engine can publish of what a role answers. */
  publishes: readonly string[];
  /** Workflows that can play a role. */
  workflows: readonly { name: string; description: string }[];
  /** Whether commands of roles reach the network. */
  network: boolean;
};

/** `configured`: any name will do, once the repository's configuration says that it runs the workflow. */
export type Trigger = { kind: string; names: "configured" | readonly string[]; does: string };
