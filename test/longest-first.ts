import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Short files that take minutes, the longest first. */
const LONG = [
  "e2e/faults/kill-everywhere",
  "e2e/faults/servers",
  "e2e/faults/postgres",
  "e2e/kill",
  "e2e/faults/github",
  "e2e/faults/forgejo",
  "e2e/faults/redis",
  "e2e/faults/kill-intake",
  "e2e/faults/two-owners",
];

/** Starts the longest files first, so that none is left to run alone at the end: those named, then by size, each with its contract. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map(({ moduleId }) => [moduleId, rankOf(moduleId)]));
    const rank = ({ moduleId }: TestSpecification): number => ranks.get(moduleId) ?? 0;
    return [...files].sort((a, b) => rank(b) - rank(a));
  }
}

const CONTRACT = /from "(\.{1,2}\/[\w./-]+\.contract\.ts)"/;

const rankOf = (file: string): number => {
  const place = LONG.findIndex((name) => file.endsWith(`/test/${name}.test.ts`));
  if (place !== -1) return Number.MAX_SAFE_INTEGER - place;
  const contract = CONTRACT.exec(readFileSync(file, "utf8"))?.[1];
  return statSync(file).size + (contract === undefined ? 0 : statSync(join(dirname(file), contract)).size);
};
