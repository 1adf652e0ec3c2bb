import { protectedByDefault } from "./protected-paths.ts";
import type { RepositoryLayer } from "./read-repository-config.ts";
import { RepositoryConfig } from "./repository-config.ts";

/**
 * The configuration that files make together, the nearest last: labels and commands are merged by key, of all else the
 * last word counts. The paths that are protected by default stay so whatever the files say.
 */
export const mergedConfig = (layers: readonly RepositoryLayer[]): RepositoryConfig => {
  const merged = RepositoryConfig.parse({});
  for (const layer of layers) {
    const labels = withLabels(merged.labels, layer.labels ?? {});
    const commands = { ...merged.commands, ...layer.commands };
    Object.assign(merged, layer, { labels, commands });
  }
  merged.protectedPaths = [...new Set([...protectedByDefault, ...merged.protectedPaths])];
  return merged;
};

type Labels = RepositoryConfig["labels"];

/** Labels are the same whatever their case. */
const withLabels = (below: Labels, above: Labels): Labels => {
  const named = new Set(Object.keys(above).map((label) => label.toLowerCase()));
  const kept = Object.entries(below).filter(([label]) => !named.has(label.toLowerCase()));
  return { ...Object.fromEntries(kept), ...above };
};
