import type { AlternativeOption } from "../agent-state.ts";
import { data } from "./data.ts";
import { FILE_GUIDE } from "./file-guide.ts";

const SPEAK =
  "First write what the person is to read, as plain text. Then call `resolve` in the same reply, without repeating that text.";

/** Until it is settled what is wanted. */
export const listenTask =
  (): string => `Task: find out what the workflow should do, until you and the person agree.

${SPEAK} In \`resolve\`:
- next: "ask" while something that changes the result is open: then give the questions (at most five, each with an id, a category of input,
  output, trigger or logic, and the likely answers as options). "propose" when you know enough: then your text says in a few
  sentences what the workflow will do, what begins it, who does what, what comes out, and what it will not do, and asks whether that
  is right. "settled" only when the person has agreed to that, or has said everything and told you to go ahead.
- intent_summary: all that is wanted so far, complete, in the person's language. What was taken back is not in it any more.
- workflow_name: a short name in small letters with dashes; null while you have none. Keep a name that the person gave.
- collected_info: facts in short (such as trigger, input_source, output_destination, roles, tools, limits); "" takes one back.
- replaces_existing: true only when the person was asked whether an existing workflow may be replaced, and said yes.`;

/** What the wanted workflow needs: the comparison with what is installed is not the model's. */
export const needsTask =
  (): string => `Task: list everything from outside that the agreed workflow needs. Call \`resolve\` with:
- needs: one entry for each agent, tool, model, trigger, network access, other workflow and published result that it cannot do
  without. Use the installed name where something installed does just that, and a name of your own (such as gmail:send) where nothing
  does: never bend the wish to what is there. \`why\`: what it is for, in the person's language, in a few words.
  Kinds: agent, tool, model, trigger, network, workflow, publish. A tool of an MCP server is server:tool. A trigger's name is
  one of the installed kinds, or what it really is (schedule, email, webhook).
  Reading and writing files, running commands and git history are the built-in tools. Commits, branches and pull requests are
  made by the engine (publish), not by tools.
- choices: ways to build it between which the person should choose, because they differ in what the person gets, in cost or in
  risk; empty in the ordinary case.`;

export const alternativesTask = (choices: readonly string[]): string =>
  `Task: offer the person ways to do it with what is installed. ${
    choices.length > 0 ? `Found to be open: ${choices.join("; ")}. ` : ""
  }Where something is not installed, each way says how it does without, and one of them may be to configure what is missing first.

${SPEAK} Your text says in a sentence or two what the choice is about. In \`resolve\`:
- alternatives: two to four that truly differ, the one that you would take first. id alt_1, alt_2, …; title; description (what the person
  gets); approach (how it works, technically); trade_offs; complexity (simple, medium, complex).`;

/** After something was settled: the person answers a choice, asks something, or wants something else. */
export const steerTask = (open: {
  alternatives: readonly AlternativeOption[];
  about: string;
  decisions: readonly string[];
}): string => `Task: find out what the person wants now. ${open.about}
${open.alternatives.length > 0 ? `\n${data("alternatives", JSON.stringify(open.alternatives, null, 1))}\n` : ""}
${SPEAK} In \`resolve\`:
- decision: one of ${open.decisions.join(", ")}.
${open.decisions.map((decision) => `  ${decision}: ${DECISIONS[decision] ?? ""}`).join("\n")}
- note: what the person added to it, in a sentence; empty when nothing.`;

const DECISIONS: Readonly<Record<string, string>> = {
  choose: "the person takes one of the alternatives, perhaps with a change; give its id as alternative_id.",
  go_on: "the work goes on as it was, with what the person added.",
  revise: "the workflow should do something else than was agreed.",
  question: "the person asked or said something that changes nothing: your text answers it.",
};

export const writeTask = (name: string, { findings }: { findings: readonly string[] }): string =>
  [
    `Task: write the whole workflow file that was agreed. Its name is \`${name}\`. Where <workflow> has a file, begin with it and change only what the person wants changed and what the findings ask for.`,
    FILE_GUIDE,
    findings.length === 0
      ? ""
      : `The file in <workflow> failed its checks. Mend the cause of each finding:\n${data("findings", findings.join("\n"))}`,
    "Call `resolve` with yaml: the whole file, and summary: what the workflow does, role by role, in two to four sentences in the person's language.",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
