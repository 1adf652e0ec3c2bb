import type { AdapterFn, ThreadContext } from "../../agents/adapter.ts";
import { AppError, bugError } from "../../base/errors.ts";
import type { DesignTurn } from "../../forge/text/design-turn.ts";
import type { Model } from "../../llm/model.ts";
import type { AgentSession } from "../../thread/engine.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { holdTurn, type TurnParts } from "./hold-turn.ts";
import { type Kept, keptNode, textNode } from "./kept.ts";
import { proposal } from "./proposal.ts";
import { shownTurn } from "./shown-turn.ts";
import { pathOf } from "./thread-designs.ts";
import type { TurnOutput } from "./turn-output.ts";

export type DesignerAgentParts = Omit<TurnParts, "model" | "readFile"> & { model: () => Promise<Model> };

/**
 * The designer as an agent of threads: a role that publishes proposes the file that was made, any other holds one turn of the
 * conversation in each step. Rejects with what `holdTurn` throws, and `role-output-invalid` (fix-input) where the role
 * wants another answer.
 */
export const designerAgent =
  ({ model, ...parts }: DesignerAgentParts, session: AgentSession): AdapterFn =>
  (_prompt, schema) =>
  async (context) => {
    const { journal, task, signal } = context;
    signal.throwIfAborted();
    if (journal.turns.length === 0)
      await journal.append({ kind: "message", text: task.toWellFormed(), at: parts.now() });
    const workspace = await session.workspace();
    const output =
      session.role.publish === null
        ? await talk({ ...parts, model: await model(), readFile: fileIn(workspace) }, { context, session })
        : await proposal({ context, session, workspace });
    const read = schema.safeParse(output);
    if (read.success) return read.data;
    throw new AppError(`The role "${context.role}" wants another answer than the designer gives.`, {
      code: "role-output-invalid",
      remedy: "fix-input",
      hint: "Have another agent play it.",
    });
  };

const talk = async (
  parts: TurnParts,
  holding: { context: ThreadContext; session: AgentSession },
): Promise<TurnOutput> => {
  const { status, kept } = await holdTurn(parts, holding);
  const shown = await shownTurn(kept);
  const said = textNode(JSON.stringify(shown));
  const file = status === "completed" ? fileOf(kept) : null;
  await holding.session.keep(file === null ? [said] : [said, file.node]);
  return {
    status,
    summary: summaryOf(shown),
    conversation: keptNode(kept).hash,
    said: said.hash,
    ...(file === null ? {} : { path: file.path, content: file.node.hash, verification: [file.verification] }),
  };
};

/** The file that was made, and how it was checked. */
const fileOf = ({ designs, state }: Kept) => {
  const design = designs.find(({ id }) => id === state.workflow_id);
  if (design?.dryRun?.ok !== true) throw bugError("a conversation was completed without a sound file");
  const { name, source, dryRun } = design;
  return {
    path: pathOf(name),
    node: textNode(source),
    verification: { command: `dry run over ${dryRun.edges.length} edges`, result: "passed" as const },
  };
};

const SUMMARY_CHARS = 300;

const summaryOf = ({ said, failed }: DesignTurn): string => {
  const line = (failed ?? said.at(-1) ?? "").replace(/\s+/g, " ").trim();
  return line.slice(0, SUMMARY_CHARS).toWellFormed() || "Nothing was said.";
};

const MAX_BYTES = 1024 * 1024;

/** A file of the workspace; undefined: there is none. */
const fileIn =
  ({ files }: Workspace) =>
  async (path: string): Promise<string | undefined> => {
    const entry = await files.stat(path);
    if (entry?.kind !== "file") return undefined;
    return Buffer.from(await files.read(path, { maxBytes: MAX_BYTES })).toString("utf8");
  };
