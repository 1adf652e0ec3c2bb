import { randomUUID } from "node:crypto";
import type { ToolCall } from "../model.ts";

/** A piece of a tool call as servers stream it. */
export type CallDelta = {
  index?: number | null | undefined;
  id?: string | null | undefined;
  function?:
    | { name?: string | null | undefined; arguments?: string | Record<string, unknown> | null | undefined }
    | null
    | undefined;
};

type Draft = { index: number | null; id: string; name: string; arguments: string };

/**
 * Puts tool calls together from their pieces. Servers differ: some leave out the index or give every call
 * index 0, some repeat id and name in every piece, some send no id, some send the arguments as an object.
 */
export const toolCallAssembler = () => {
  const drafts: Draft[] = [];

  const draftFor = (delta: CallDelta): Draft => {
    const index = delta.index ?? null;
    const found = index === null ? drafts.at(-1) : drafts.findLast((draft) => draft.index === index);
    const isNew = found === undefined || startsAnother(delta, found);
    if (!isNew) return found;
    const draft = { index, id: "", name: "", arguments: "" };
    drafts.push(draft);
    return draft;
  };

  return {
    add: (delta: CallDelta): void => {
      const draft = draftFor(delta);
      draft.id ||= delta.id ?? "";
      draft.name ||= delta.function?.name ?? "";
      const args = delta.function?.arguments ?? "";
      draft.arguments += typeof args === "string" ? args : JSON.stringify(args);
    },
    /** The calls in the order in which they began, each with an id of its own. */
    done: (): ToolCall[] => {
      const taken = new Set<string>();
      return drafts.map(({ id, name, arguments: args }) => {
        const unique = id !== "" && !taken.has(id) ? id : `call_${randomUUID()}`;
        taken.add(unique);
        return { id: unique, name, arguments: args };
      });
    },
  };
};

/** Another id, or, from servers without index and id, another name after a call that has its own. */
const startsAnother = (delta: CallDelta, draft: Draft): boolean => {
  if (delta.id && draft.id) return delta.id !== draft.id;
  const name = delta.function?.name;
  return (delta.index ?? null) === null && Boolean(name) && draft.name !== "";
};
