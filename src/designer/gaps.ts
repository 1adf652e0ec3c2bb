import { z } from "zod";
import { nearest } from "../base/nearest.ts";
import type { Catalogue } from "./catalogue.ts";

/** Something from outside that a workflow cannot do without. */
export const Need = z.object({
  kind: z.enum(["agent", "tool", "model", "trigger", "network", "workflow", "publish"]),
  name: z.string().trim().min(1).max(200),
  why: z.string().trim().max(500).default(""),
});
export type Need = z.output<typeof Need>;

/** `nearest`: something installed whose name is like it; null: nothing is. */
export type Gap = Need & { nearest: string | null };

/** What is needed and not installed, each once. */
export const gapsOf = (needs: readonly Need[], catalogue: Catalogue): Gap[] => {
  const missing = needs.filter((need) => !isInstalled(need, catalogue));
  const each = new Map(missing.map((need) => [`${need.kind} ${plain(need.name)}`, need]));
  return [...each.values()].map((need) => ({
    ...need,
    nearest: nearest(need.name, namesOf(need.kind, catalogue)) ?? null,
  }));
};

const isInstalled = ({ kind, name }: Need, catalogue: Catalogue): boolean => {
  if (kind === "network") return catalogue.network;
  if (kind === "tool" && isOfServer(name, catalogue)) return true;
  if (kind === "trigger" && isConfigurable(name, catalogue)) return true;
  return namesOf(kind, catalogue).some((known) => plain(known) === plain(name));
};

const isOfServer = (name: string, { servers }: Catalogue): boolean =>
  servers.some(({ name: server, tools }) => {
    if (!name.startsWith(`${server}:`)) return false;
    const tool = name.slice(server.length + 1);
    return tool !== "" && (tools === null || tool === "*" || tools.includes(tool));
  });

/** Any label and any word after a slash can be made to begin a workflow. */
const isConfigurable = (name: string, { triggers }: Catalogue): boolean =>
  triggers.some(({ kind }) =>
    kind === "command" ? name.startsWith("/") : kind === "label" && /^label\b/i.test(name),
  );

const namesOf = (kind: Need["kind"], catalogue: Catalogue): string[] => {
  switch (kind) {
    case "agent":
      return [...catalogue.agents];
    case "model":
      return [...catalogue.models, "default"];
    case "tool":
      return [
        ...catalogue.tools,
        ...catalogue.servers.flatMap(({ name, tools }) => (tools ?? []).map((tool) => `${name}:${tool}`)),
      ];
    case "trigger":
      return catalogue.triggers.flatMap(({ kind, names }) => [
        kind,
        ...(names === "configured" ? [] : names),
      ]);
    case "workflow":
      return catalogue.workflows.map(({ name }) => name);
    case "publish":
      return [...catalogue.publishes];
    case "network":
      return [];
  }
};

/** Case, separators and a leading slash or `@` make no other name. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^[/@]/, "")
    .replaceAll(/[\s_-]/g, "");
