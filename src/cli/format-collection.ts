import type { Collection } from "../store/store.ts";
import { counted, formatBytes } from "./format.ts";

/** `12 nodes (3.4 kB)`. */
export const deletedText = ({ collected, bytes }: Collection): string =>
  collected === 0 ? "no nodes" : `${counted(collected, "node")} (${formatBytes(bytes)})`;
