import { z } from "zod";
import type { DesignTurn } from "../../forge/text/design-turn.ts";
import { loadWorkflow } from "../../workflow/load.ts";
import { mermaid } from "../../workflow/mermaid.ts";
import { ClarificationQuestion } from "../agent-state.ts";
import { userTexts } from "../conversation.ts";
import type { Design } from "../designs.ts";
import { findingsOf } from "../dry-run/findings.ts";
import { languageOf } from "../texts.ts";
import type { Kept } from "./kept.ts";
import { pathOf } from "./thread-designs.ts";

/** What the person is told in the turn that was heard last; where nothing new was said, what was said before. */
export const shownTurn = async ({ state, from, designs }: Kept): Promise<DesignTurn> => {
  const all = state.conversations.filter(({ role }) => role !== "user");
  const now = state.conversations.slice(from).filter(({ role }) => role !== "user");
  const entries = now.length === 0 ? all.slice(-1) : now;
  const last = entries.at(-1);
  const hasDraft = entries.some(({ metadata }) => metadata.event === "workflow_draft");
  const design = designs.find(({ id }) => id === state.workflow_id);
  return {
    language: languageOf("", userTexts(state)),
    // Who was cut off begins what it was at with the same words.
    said: entries.flatMap(({ role, text }, at) =>
      role === "assistant" && text !== entries[at - 1]?.text ? [text] : [],
    ),
    failed: last?.role === "system" ? last.text : null,
    questions: questionsIn(last?.metadata.questions),
    alternatives:
      last?.metadata.message_type === "options"
        ? state.alternatives.map(({ title, description, approach, trade_offs, complexity }) => ({
            ...{ title, description, approach, complexity },
            tradeOffs: trade_offs,
          }))
        : [],
    draft: hasDraft && design !== undefined ? await draftOf(design) : null,
  };
};

const Questions = z.array(ClarificationQuestion);

/** As the conversation itself has written them. */
const questionsIn = (json: string | undefined): DesignTurn["questions"] =>
  json === undefined
    ? []
    : Questions.parse(JSON.parse(json)).map(({ question, options }) => ({ question, options }));

const draftOf = async ({ name, source, dryRun }: Design): Promise<NonNullable<DesignTurn["draft"]>> => {
  // What the checks say about edges, they could only say of a file that loads.
  const loads = dryRun !== null && dryRun.edges.length > 0;
  const graph = loads ? mermaid(await loadWorkflow(source, { file: pathOf(name) })) : null;
  return { name, source, graph, findings: dryRun === null ? [] : findingsOf(dryRun) };
};
