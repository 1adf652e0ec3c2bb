import type { Edge } from "../store/payload.ts";
import type { WorkflowDefinition } from "./definition.ts";
import { atValue, type Place, type Problem } from "./source/problem.ts";
import { END, START } from "./workflow.ts";

/** Where an edge and its parts stand in the file. */
export type EdgePlaces = Record<"from" | "to" | "when" | "prompt", Place> & {
  /** What stands in the prompt from this character on was written here. */
  added?: { from: number; place: Place };
};

export type PlacedEdge = { edge: Edge; places: EdgePlaces; problem?: Problem };

/** The name that the engine knows an end of an edge by. */
export const endpoint = (name: string): string =>
  name === "__START__" ? START : name === "__END__" ? END : name;

/** The edges of the table, as written. */
export const tableEdges = ({ moderator }: WorkflowDefinition): PlacedEdge[] =>
  (moderator ?? []).map(({ from, to, when, prompt, on }, index) => {
    const place = (field: string): Place => atValue("moderator", index, field);
    const edge = {
      from: endpoint(from),
      to: endpoint(to),
      when: when ?? null,
      prompt: prompt ?? null,
      on: on ?? null,
    };
    const places = { from: place("from"), to: place("to"), when: place("when"), prompt: place("prompt") };
    if (edge.on === null || edge.from === START) return { edge, places };
    return { edge, places, problem: { ...place("on"), message: `only an edge from ${START} has \`on\`` } };
  });
