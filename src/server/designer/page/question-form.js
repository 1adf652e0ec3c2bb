/** @import { ClarificationQuestion } from "../../../designer/agent-state.ts" */
/** @import { Words } from "./words.js" */
import { element } from "./element.js";

/**
 * Questions as a form; what is answered becomes one message.
 * @param {readonly ClarificationQuestion[]} questions
 * @param {{ words: Words, answer: (text: string) => void }} parts
 */
export const questionForm = (questions, { words, answer }) => {
  const form = element(
    "form",
    {
      class: "ask",
      onsubmit: (event) => {
        event.preventDefault();
        answer(answersIn(form, questions));
      },
    },
    ...questions.map((question) => fieldOf(question, words)),
    element("button", { class: "first" }, words.answer),
  );
  return form;
};

/** @param {ClarificationQuestion} question @param {Words} words */
const fieldOf = ({ id, question, is_required, options }, words) => {
  const own = options.length > 0 ? words.other : question;
  return element(
    "fieldset",
    {},
    element(
      "legend",
      {},
      question,
      is_required ? element("span", { class: "needed" }, ` ${words.needed}`) : null,
    ),
    ...options.map((option) =>
      element(
        "label",
        { class: "option" },
        element("input", { type: "radio", name: `${id}:option`, value: option }),
        ` ${option}`,
      ),
    ),
    element("input", {
      type: "text",
      name: id,
      "aria-label": own,
      placeholder: options.length > 0 ? words.other : undefined,
      required: is_required && options.length === 0,
    }),
  );
};

/** @param {HTMLFormElement} form @param {readonly ClarificationQuestion[]} questions */
const answersIn = (form, questions) => {
  const fields = new FormData(form);
  return questions
    .map(({ id, question }) => {
      const given = [fields.get(`${id}:option`), fields.get(id)];
      const answer = given.filter((text) => typeof text === "string" && text.trim() !== "").join("; ");
      return answer === "" ? "" : `${question} ${answer}`;
    })
    .filter((line) => line !== "")
    .join("\n");
};
