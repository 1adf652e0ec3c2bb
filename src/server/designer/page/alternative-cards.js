/** @import { AlternativeOption } from "../../../designer/agent-state.ts" */
/** @import { Words } from "./words.js" */
import { element } from "./element.js";

/**
 * Ways to do it, one card each; to choose one says its id.
 * @param {readonly AlternativeOption[]} alternatives
 * @param {{ words: Words, choose: (id: string, title: string) => void }} parts
 */
export const alternativeCards = (alternatives, { words, choose }) =>
  element(
    "ul",
    { class: "cards" },
    ...alternatives.map(({ id, title, description, approach, trade_offs, complexity }) =>
      element(
        "li",
        { class: "card" },
        element("h3", {}, title),
        element("p", {}, description),
        element("p", { class: "quiet" }, approach),
        trade_offs.length === 0 ? null : element("p", {}, words.tradeOffs),
        trade_offs.length === 0
          ? null
          : element("ul", {}, ...trade_offs.map((text) => element("li", {}, text))),
        element("p", { class: "quiet" }, words.complexity[complexity]),
        element(
          "button",
          { type: "button", "aria-label": `${words.choose}: ${title}`, onclick: () => choose(id, title) },
          words.choose,
        ),
      ),
    ),
  );
