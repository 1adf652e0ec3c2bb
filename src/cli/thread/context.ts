import { type AgentContext, readAgentContext } from "../../thread/agent-context.ts";
import { workspaceDirectory } from "../../thread/workspace-directory.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { valueLines } from "../fields.ts";
import { usageError } from "../parse-arguments.ts";
import { printJson } from "../print.ts";
import { readStore } from "../store-session.ts";
import { type Style, styleFor } from "../style.ts";
import { plainLine, plainText } from "../terminal-text.ts";
import { findThread, threadArgument } from "./find-thread.ts";

export const command = defineCommand({
  description:
    "Prints all that the agent of a role is told: role, task, steps so far, the output's schema, and where its step belongs. Programs that play roles call it while their step is under way.",
  arguments: { thread: threadArgument },
  options: {
    role: { type: "string", value: "name", summary: "The role whose step is under way, or comes next." },
    json: jsonOption,
  },
  examples: ["uwf thread context 01JD3Q8M5T --role developer --json"],
  run: ({ arguments: { thread }, options }, context) =>
    readStore(context, async (store) => {
      if (options.role === undefined)
        throw usageError("thread context", '"uwf thread context" needs --role <name>');
      const { id } = await findThread(store, thread);
      const about = await readAgentContext(store, { thread: id, role: options.role });
      const { storePlaceOf } = await import("../../config/store-place.ts");
      const { storageRoot } = await storePlaceOf(context.env);
      const workspace = await workspaceDirectory(store, { thread: id, storageRoot });
      if (options.json) printJson(context, { ...about, workspace });
      else
        context.stdout.write(
          contextText(about, { workspace, style: await styleFor(context.stdout, context) }),
        );
      return exitCodes.done;
    }),
});

const contextText = (
  about: AgentContext,
  { workspace, style }: { workspace: string | null; style: Style },
): string => {
  const part = (title: string, text: string): string =>
    `${style.bold(title)}\n${plainText(text.trim()).replace(/^(?=.)/gm, "  ")}\n`;
  const steps = about.steps.map(
    ({ role, output }, index) =>
      `${index + 1}. ${plainLine(role)}\n${valueLines(output, plainText)
        .map((line) => `   ${line}`)
        .join("\n")}`,
  );
  const place = [
    `start  ${about.start}`,
    `prev   ${about.prev ?? "none"}`,
    `agent  ${about.agent}`,
    `files  ${workspace ?? "none here"}`,
  ];
  return [
    part("Role", `${about.role} of ${about.workflow.name}`),
    part("System prompt", about.systemPrompt),
    part("Task", about.task),
    ...about.notes.map((note) => part("Note", note)),
    ...(about.input.trim() === about.task.trim() ? [] : [part("Input", about.input)]),
    ...(steps.length === 0 ? [] : [part("Steps so far", steps.join("\n"))]),
    part("Output schema", JSON.stringify(about.outputSchema, null, 2)),
    part("Place", place.join("\n")),
  ].join("\n");
};
