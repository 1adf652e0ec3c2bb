import type { Store } from "../store.ts";

/** A store and what people call it: `the file /srv/uwf/uwf.db`. */
export type Side = { store: Store; name: string };

export type Sides = { from: Side; to: Side };

/** `check`: every node is whole; `compare`: the target has nothing else; `nodes`, `records`: copying; `verify`: reading back. */
export type CopyStage = "check" | "compare" | "nodes" | "records" | "verify";

/** Nodes done in this stage; `total` once it is known. */
export type Progress = (stage: CopyStage, nodes: number, total: number | null) => void;
