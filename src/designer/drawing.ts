import { graphlib, layout } from "@dagrejs/dagre";
import { z } from "zod";
import { AppError } from "../base/errors.ts";
import { loadWorkflow } from "../workflow/load.ts";
import { END, START, SUSPEND, type Workflow } from "../workflow/workflow.ts";

const place = { x: z.number(), y: z.number() };

/** A workflow as a graph with a place for everything, in pixels from the upper left; `x` and `y` are centres. */
export const Drawing = z.object({
  width: z.number(),
  height: z.number(),
  nodes: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(["start", "role", "workflow", "end", "wait"]),
      label: z.string(),
      ...place,
      width: z.number(),
      height: z.number(),
    }),
  ),
  edges: z.array(
    z.object({
      edge: z.int().nonnegative().describe("Its place in the table."),
      from: z.string(),
      to: z.string(),
      when: z.string().nullable(),
      points: z.array(z.object(place)),
    }),
  ),
});
export type Drawing = z.output<typeof Drawing>;

const HEIGHT = 40;
const LEAST_WIDTH = 80;
/** Of one character, about. */
const CHARACTER = 9;
const PADDING = 24;
const MARGIN = 16;
/** What an edge keeps free for its number. */
const NUMBER = { width: 24, height: 20 };

/** null: the file does not load as it is. */
export const drawingOf = async (source: string, name: string): Promise<Drawing | null> => {
  try {
    return draw(await loadWorkflow(source, { file: `${name}.yaml` }));
  } catch (error) {
    if (error instanceof AppError && error.code === "workflow-invalid") return null;
    throw error;
  }
};

const draw = ({ roles, moderator }: Workflow): Drawing => {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 48, ranksep: 40, marginx: MARGIN, marginy: MARGIN });
  const ends = moderator.flatMap(({ from, to }) => [from, to]);
  const names = [START, ...Object.keys(roles), SUSPEND, END].filter((name) => ends.includes(name));
  for (const name of names)
    graph.setNode(name, {
      width: Math.max(LEAST_WIDTH, [...name].length * CHARACTER + PADDING),
      height: HEIGHT,
    });
  for (const [edge, { from, to }] of moderator.entries())
    graph.setEdge(from, to, { ...NUMBER, labelpos: "c" }, String(edge));
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: names.map((id) => {
      const { x, y, width, height } = graph.node(id) as Box;
      return { id, kind: kindOf(id, roles[id]?.workflow ?? null), label: id, x, y, width, height };
    }),
    edges: moderator.map(({ from, to, when }, edge) => {
      const drawn = graph.edge(from, to, String(edge)) as { x: number; points: Point[] };
      const points = from === to ? loopAt(graph.node(from) as Box, drawn.x) : drawn.points;
      return { edge, from, to, when, points: points.map(({ x, y }) => ({ x, y })) };
    }),
  };
};

type Point = { x: number; y: number };

/** Out of a node and back, beside it, as far as `out`. */
const loopAt = ({ x, y, width, height }: Box, out: number): Point[] => {
  const side = x + width / 2;
  return [
    { x: side, y: y - height / 4 },
    { x: out, y: y - height / 2 },
    { x: out, y },
    { x: out, y: y + height / 2 },
    { x: side, y: y + height / 4 },
  ];
};

type Box = { x: number; y: number; width: number; height: number };

const kindOf = (id: string, workflow: string | null): Drawing["nodes"][number]["kind"] => {
  if (id === START) return "start";
  if (id === END) return "end";
  if (id === SUSPEND) return "wait";
  return workflow === null ? "role" : "workflow";
};
