/** @import { DryRun } from "../../../designer/dry-run/dry-run.ts" */
/** @import { Drawing } from "../../../designer/drawing.ts" */
/** @import { Words } from "./words.js" */
import { element } from "./element.js";
import { graph } from "./graph.js";

/** @typedef {{ name: string, source: string, node: string | null, dry_run: DryRun | null, drawing: Drawing | null }} Made */

/**
 * The workflow in the making: what runs it, its graph, how its edges fared, its file.
 * @param {Made | null} made
 * @param {{ words: Words, run: Node | null }} parts `run`: null until it can be run.
 */
export const workflowView = (made, { words, run }) => {
  if (made === null)
    return [
      element(
        "section",
        {},
        element("h2", {}, words.workflow),
        element("p", { class: "quiet" }, words.nothingYet),
      ),
    ];
  const { name, source, dry_run } = made;
  return [
    element(
      "section",
      {},
      element("h2", {}, `${words.workflow}: ${name}`),
      run,
      drawingOf(made, words),
      problemsOf(dry_run?.problems ?? [], words),
    ),
    ...edgesOf(made, words),
    element(
      "section",
      {},
      element("h2", {}, words.file),
      element("pre", { tabindex: "0", "aria-label": words.file }, element("code", {}, source)),
      copyButton(source, words),
    ),
  ];
};

/** @param {Made} made @param {Words} words */
const drawingOf = ({ name, drawing, dry_run }, words) => {
  if (drawing === null) return element("p", {}, words.noGraph);
  const roles = drawing.nodes.filter(({ kind }) => kind === "role" || kind === "workflow").length;
  const label = words.graphOf(name, roles, drawing.edges.length);
  const drawn = graph(drawing, { dryRun: dry_run, label });
  return element("div", { class: "graph", tabindex: "0", role: "region", "aria-label": words.graph }, drawn);
};

/** @param {readonly string[]} problems @param {Words} words */
const problemsOf = (problems, words) =>
  problems.length === 0
    ? null
    : element(
        "div",
        {},
        element("h3", {}, words.problems),
        element("ul", { class: "bad-word" }, ...problems.map((problem) => element("li", {}, problem))),
      );

/** @param {Made} made @param {Words} words */
const edgesOf = ({ drawing, dry_run }, words) => {
  if (drawing === null) return [];
  const titles = [words.number, words.from, words.to, words.when, words.result];
  const rows = drawing.edges.map(({ edge, from, to, when }) =>
    element(
      "tr",
      {},
      ...[String(edge + 1), from, to, when ?? words.always].map((text) => element("td", {}, text)),
      resultOf(
        dry_run?.edges.find((one) => one.edge === edge),
        words,
      ),
    ),
  );
  const head = element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)));
  return [
    element(
      "section",
      {},
      element("h2", {}, words.edges),
      element(
        "div",
        { class: "edges", tabindex: "0", role: "region", "aria-label": words.edges },
        element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)),
      ),
    ),
  ];
};

/** @param {DryRun["edges"][number] | undefined} result @param {Words} words */
const resultOf = (result, words) => {
  if (result === undefined) return element("td", { class: "quiet" }, words.unchecked);
  return result.ok
    ? element("td", { class: "good-word" }, `✓ ${words.passed}`)
    : element("td", { class: "bad-word" }, `✗ ${result.finding ?? ""}`);
};

/** @param {string} source @param {Words} words */
const copyButton = (source, words) => {
  const button = element(
    "button",
    {
      type: "button",
      onclick: async () => {
        await navigator.clipboard.writeText(source);
        button.textContent = words.copied;
      },
    },
    words.copyFile,
  );
  return button;
};
