import { join } from "node:path";
import { builtinAgent } from "../src/agents/builtin-agent.ts";
import { bindAgents } from "../src/config/bind-agents.ts";
import { loadConfig } from "../src/config/load-config.ts";
import { calls, resolves, scriptedModel } from "../src/llm/scripted-model.ts";
import { sqliteStore } from "../src/store/sqlite-store.ts";
import type { Engine } from "../src/thread/engine.ts";
import { runThread } from "../src/thread/run.ts";
import { startThread } from "../src/thread/start.ts";
import { loadWorkflow } from "../src/workflow/load.ts";
import type { Workflow } from "../src/workflow/workflow.ts";
import { emptyRepository } from "./empty-repository.ts";
import { alternate, atMost, ms, type Row, timed, times } from "./measurement.ts";
import { stubEngine } from "./stub-engine.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";

const ROLES = ["planner", "coder", "reviewer", "tester", "committer"];
const SCHEMA = "{ type: object, required: [summary], properties: { summary: { type: string } } }";

const inline = `
version: 1
name: inline
roles:
${ROLES.map((role) => `  ${role}: { description: Works., systemPrompt: You work., schema: ${SCHEMA} }`).join("\n")}
moderator:
${[...ROLES, "$END"].map((to, at) => `  - { from: ${ROLES[at - 1] ?? "$START"}, to: ${to} }`).join("\n")}
`;

const outer = `
version: 1
name: outer
roles:
  developer: { description: Has it done., workflow: inline, schema: ${SCHEMA} }
moderator:
  - { from: $START, to: developer }
  - { from: developer, to: $END }
`;

/** Each role writes a file, reads it, and answers. */
const script = ROLES.flatMap((role) => [
  calls("write_file", { path: `${role}.txt`, content: `${role}\n` }),
  calls("read_file", { path: `${role}.txt` }),
  resolves({ summary: `${role} is done` }),
]);

/** What it costs that a workflow plays a role, beside the same roles in the workflow itself. */
export const subWorkflow = (): Promise<Row[]> =>
  inTemporaryDirectory(async (root) => {
    const repository = join(root, "repository");
    await emptyRepository(repository);
    const store = sqliteStore({ path: join(root, "uwf.db") });
    const engine = stubEngine({ store, root });
    const config = loadConfig({ env: { UWF_STORAGE_ROOT: root, OPENAI_API_KEY: "k", OPENAI_MODEL: "m" } });
    const [inner, above] = await Promise.all([
      loadWorkflow(inline, { file: "inline.yaml" }),
      loadWorkflow(outer, { file: "outer.yaml" }),
    ]);
    const run = async (workflow: Workflow): Promise<void> => {
      const { agents, nodes } = await bindAgents(config, workflow, {
        model: null,
        findWorkflow: async () => inner,
      });
      const signal = new AbortController().signal;
      const base = await engine.workspaces.fetch({ repository }, { branch: null, signal });
      const { id } = await startThread(store, {
        ...{ workflow, input: "Work.", title: "A thread of the bench", subject: null, base, agents },
        agentNodes: nodes,
        limits: { pauseAfterRounds: 100, budgetUsd: null, budgetTokens: null },
        source: {
          ...{
            forge: "local",
            repository,
            defaultBranch: base.branch,
            requester: null,
            installationId: null,
          },
          issue: { number: null, title: "A thread of the bench", url: null },
        },
        now: Date.now(),
      });
      const model = scriptedModel(script);
      const adapterOf: Engine["adapterOf"] = (_agent, { workspace, checkpoint, emit }) =>
        builtinAgent({ model: async () => model, workspace, tools: null, checkpoint, observe: emit });
      const record = await runThread({ ...engine, adapterOf }, id, { signal });
      if (record.status !== "completed") throw new Error(`the thread is ${record.status}: ${record.reason}`);
    };
    const took = await alternate(
      { inline: () => timed(() => run(inner)), below: () => timed(() => run(above)) },
      { rounds: 25, warmUp: 10 },
    );
    await store.close();
    const ratio = took.below / took.inline;
    return [
      {
        measured: "Five roles in a workflow that plays a role, two tool calls each",
        uwf: ms(took.below),
        beside: `the same roles inline ${ms(took.inline)}`,
        result: times(ratio),
        goal: atMost(ratio, 1.3, "1.3×"),
      },
    ];
  });
