/** @import { Drawing } from "../../../designer/drawing.ts" */
/** @import { DryRun } from "../../../designer/dry-run/dry-run.ts" */
import { shape } from "./element.js";

/**
 * The graph, with how each edge fared; the table beside it says the same to those who do not see it.
 * @param {Drawing} drawing
 * @param {{ dryRun: DryRun | null, label: string }} parts
 */
export const graph = ({ width, height, nodes, edges }, { dryRun, label }) =>
  shape(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      width: String(width),
      height: String(height),
      role: "img",
      "aria-label": label,
    },
    ...edges.map((edge) => edgeOf(edge, dryRun?.edges.find((one) => one.edge === edge.edge)?.ok)),
    ...nodes.map(nodeOf),
  );

/** @param {Drawing["nodes"][number]} node */
const nodeOf = ({ kind, label, x, y, width, height }) =>
  shape(
    "g",
    {},
    shape("rect", {
      class: `box ${kind}`,
      ...numbers({ x: x - width / 2, y: y - height / 2, width, height }),
      rx: kind === "role" || kind === "workflow" ? "6" : String(height / 2),
    }),
    shape("text", numbers({ x, y }), label),
  );

/** @param {Drawing["edges"][number]} edge @param {boolean | undefined} ok */
const edgeOf = ({ edge, points }, ok) => {
  const middle = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 };
  return shape(
    "g",
    { class: `edge ${ok === undefined ? "" : ok ? "good" : "bad"}` },
    shape("path", { class: "way", d: through(points) }),
    tipOf(points),
    shape("circle", { class: "number", ...numbers({ cx: middle.x, cy: middle.y, r: 10 }) }),
    shape("text", numbers({ x: middle.x, y: middle.y }), String(edge + 1)),
  );
};

/** @typedef {{ x: number, y: number }} Point */

/** A curve through the middles of the ways between the points. @param {readonly Point[]} points */
const through = (points) => {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const last = points.at(-1) ?? first;
  const curves = rest.slice(0, -1).map((point, at) => {
    const next = rest[at + 1] ?? point;
    const end = at === rest.length - 2 ? next : middleOf(point, next);
    return `Q ${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return [`M ${first.x} ${first.y}`, ...curves, `L ${last.x} ${last.y}`].join(" ");
};

/** @param {Point} a @param {Point} b */
const middleOf = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

const TIP = 9;

/** @param {readonly Point[]} points */
const tipOf = (points) => {
  const [before, end] = [points.at(-2), points.at(-1)];
  if (before === undefined || end === undefined) return null;
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const corners = [-0.4, 0.4].map(
    (turn) => `${end.x - TIP * Math.cos(angle + turn)},${end.y - TIP * Math.sin(angle + turn)}`,
  );
  return shape("polygon", { class: "tip", points: [`${end.x},${end.y}`, ...corners].join(" ") });
};

/** @param {Record<string, number>} values */
const numbers = (values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
