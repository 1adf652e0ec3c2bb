import type { ThreadId } from "../../base/ids.ts";
import { askedAgents } from "../../config/asked-agents.ts";
import { createThread } from "../../intake/create-thread.ts";
import { givenInput } from "../../intake/issue-input.ts";
import type { Workspaces } from "../../workspace/workspace.ts";
import type { EngineSession } from "../engine-session.ts";
import type { GivenIssue } from "../solve/given-issue.ts";
import { repositoryFile } from "../solve/repository-file.ts";
import { findWorkflowHere } from "../workflow/find-here.ts";

export type NewThreadRequest = {
  /** A name, a hash or a file. */
  workflow: string;
  /** An absolute path or an address; null: the roles work in an empty directory. */
  repository: string | null;
  issue: GivenIssue;
  /** Where relative paths begin. */
  cwd: string;
  model?: string | undefined;
  /** Who plays roles, as `--agent` says it. */
  agents: readonly string[];
  /** Of the person's process: where programs are found. */
  env: Readonly<Record<string, string | undefined>>;
  budgetUsd?: number | undefined;
  signal: AbortSignal;
};

/** Creates a thread for somebody at this terminal. Throws as `findWorkflow` and `createThread` do; nothing is left behind then. */
export const createThreadHere = async (
  { engine, store, config }: EngineSession,
  request: NewThreadRequest,
): Promise<ThreadId> => {
  const { repository, issue, cwd, signal, budgetUsd } = request;
  const local = repository?.startsWith("/") ? repository : null;
  const readRepository = local === null ? fetchedFile(engine.workspaces, request) : repositoryFile(local);
  const find = (name: string) => findWorkflowHere(name, { store, cwd, readRepository });
  const { workflow } = await find(request.workflow);
  const { title, number, url } = issue;
  const input = await givenInput(issue);
  const record = await createThread(
    { config, store, workspaces: engine.workspaces, now: engine.now },
    {
      workflow,
      title,
      input: input.text,
      leftOut: input.leftOut,
      subject: null,
      source:
        repository === null
          ? null
          : {
              forge: "local",
              repository,
              issue: { number, title, url },
              requester: null,
              installationId: null,
              branch: null,
            },
      model: request.model ?? null,
      asked:
        request.agents.length === 0
          ? null
          : askedAgents(request.agents, { agents: config.agents, searchPath: request.env.PATH ?? "", cwd }),
      findWorkflow: async (name) => (await find(name)).workflow,
      ...(budgetUsd === undefined ? {} : { budgetUsd }),
      signal,
    },
  );
  return record.id;
};

/** Reads files of the default branch of a repository behind an address, fetched when the first one is asked for. */
const fetchedFile = (workspaces: Workspaces, { repository, signal }: NewThreadRequest) => {
  if (repository === null) return null;
  return async (path: string) => {
    const { commit } = await workspaces.fetch({ repository }, { branch: null, signal });
    return workspaces.file(repository, { commit, path });
  };
};
