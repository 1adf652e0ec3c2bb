import type { Hash } from "../../base/ids.ts";
import type { Payload } from "../../store/payload.ts";
import type { ReadStore } from "../store-reader.ts";

export type KeptText = { hash: Hash; text: string };

/** The texts that a step refers to: what its program said on its standard error, and its trace. */
export const keptTexts = async (
  store: Pick<ReadStore, "get">,
  { refs }: Pick<Payload<"step">, "refs">,
): Promise<KeptText[]> => {
  const nodes = await Promise.all(refs.map((hash) => store.get(hash)));
  return nodes.flatMap((node) =>
    node?.type === "text" && node.payload.encoding === "utf8"
      ? [{ hash: node.hash, text: node.payload.text }]
      : [],
  );
};
