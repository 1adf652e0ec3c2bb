import type { Source } from "../src/store/payload.ts";
import type { NewThread } from "../src/thread/start.ts";
import { loadWorkflow } from "../src/workflow/load.ts";
import type { Workflow } from "../src/workflow/workflow.ts";

const yaml = `
version: 1
name: bench
description: One role, again and again.
roles:
  worker:
    description: Works.
    systemPrompt: You work.
    tools: []
    schema:
      type: object
      required: [status, text]
      properties: { status: { enum: [more, done] }, text: { type: string } }
moderator:
  - { from: $START, to: worker }
  - { from: worker, to: $END, when: 'output.status == "done"' }
  - { from: worker, to: worker }
`;

/** One role that a condition sends round until it says that it is done. */
export const stubWorkflow = (): Promise<Workflow> => loadWorkflow(yaml, { file: "bench.yaml" });

/** A thread of that workflow. `source`: an issue, or null for a thread that nobody asked for. */
export const stubThread = (
  workflow: Workflow,
  { steps, source }: { steps: number; source: Source | null },
): NewThread => ({
  workflow,
  input: "Work.",
  title: "A thread of the bench",
  subject: null,
  source,
  base: null,
  limits: { pauseAfterRounds: steps + 1, budgetUsd: null, budgetTokens: null },
  agents: { worker: { adapter: "react", name: "builtin", model: "default", modelName: "none" } },
  now: Date.now(),
});

/** An issue of one of an organisation's repositories. */
export const issueOf = ({
  organisation,
  repository,
  issue,
}: {
  organisation: number;
  repository: number;
  issue: number;
}): Source => ({
  forge: "github",
  repository: `organisation-${organisation}/repository-${repository}`,
  defaultBranch: "main",
  issue: { number: issue, title: `Issue ${issue}`, url: null },
  requester: { login: "ann", id: 1 },
  installationId: organisation,
});
