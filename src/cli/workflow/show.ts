import { shortHash } from "../../base/ids.ts";
import type { Edge } from "../../store/payload.ts";
import type { Role, Workflow } from "../../workflow/workflow.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson } from "../print.ts";
import { readStore } from "../store-session.ts";
import { type Style, styleFor } from "../style.ts";
import { renderTable } from "../table.ts";
import { plainLine } from "../terminal-text.ts";
import { workflowArgument } from "./workflow-argument.ts";

export const command = defineCommand({
  description: "Shows a workflow's roles and its moderator table: who does what, and who comes next.",
  arguments: { workflow: workflowArgument },
  options: { json: { ...jsonOption, summary: "Print the whole workflow, prompts and schemas included." } },
  examples: ["uwf workflow show solve-issue", "uwf workflow show ./triage.yaml --json"],
  run: ({ arguments: { workflow: name }, options }, context) =>
    readStore(context, async (store) => {
      const [{ findWorkflowHere }, { workflowNodes }] = await Promise.all([
        import("./find-here.ts"),
        import("../../workflow/nodes.ts"),
      ]);
      const { workflow, origin } = await findWorkflowHere(name, { store, cwd: context.cwd });
      const { hash } = workflowNodes(workflow).workflow;
      if (options.json) {
        printJson(context, { hash, origin, ...workflow });
        return exitCodes.done;
      }
      const style = await styleFor(context.stdout, context);
      const title = `${style.bold(plainLine(workflow.name))} ${style.cyan(shortHash(hash))} ${style.dim(`(${origin})`)}`;
      const description = plainLine(workflow.description);
      const width = context.stdout.columns();
      context.stdout.write(
        `${title}\n${description === "" ? "" : `${description}\n`}\n${renderRoles(workflow, { style, width })}\n${renderEdges(workflow, { style, width })}`,
      );
      return exitCodes.done;
    }),
});

type Look = { style: Style; width: number };

const renderRoles = ({ roles }: Workflow, { style, width }: Look): string =>
  renderTable(
    [
      { title: "ROLE", paint: style.bold },
      { title: "PLAYED BY" },
      { title: "TOOLS" },
      { title: "LIMITS" },
      { title: "DESCRIPTION", flexible: true },
    ],
    Object.values(roles).map((role) => [
      plainLine(role.name) + (role.publish === null ? "" : " ↑") + (role.approval ? " (to approve)" : ""),
      plainLine(role.workflow === null ? `model ${role.model ?? "default"}` : `workflow ${role.workflow}`),
      role.workflow !== null ? "-" : role.tools === null ? "all" : toolsText(role.tools),
      limitsText(role),
      plainLine(role.description),
    ]),
    { width, head: style.dim },
  );

const toolsText = (tools: readonly string[]): string =>
  tools.length <= 2 ? plainLine(tools.join(", ") || "none") : `${tools.length} tools`;

const limitsText = ({ limits: { maxTurns, timeoutMinutes, budgetUsd } }: Role): string =>
  [
    maxTurns === undefined ? "" : `${maxTurns} turns`,
    timeoutMinutes === undefined ? "" : `${timeoutMinutes} min`,
    budgetUsd === undefined ? "" : `$${budgetUsd}`,
  ]
    .filter((part) => part !== "")
    .join(", ");

const renderEdges = ({ moderator }: Workflow, { style, width }: Look): string =>
  renderTable(
    [
      { title: "FROM", paint: style.bold },
      { title: "TO", paint: style.bold },
      { title: "WHEN", flexible: true },
    ],
    moderator.map((edge) => [plainLine(edge.from), plainLine(edge.to), whenText(edge)]),
    { width, head: style.dim },
  );

const whenText = ({ when, on }: Edge): string =>
  [on === null ? "" : `(${on})`, when === null ? "always" : plainLine(when)].join(" ").trim();
