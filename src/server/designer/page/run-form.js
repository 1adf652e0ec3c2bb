/** @import { Api } from "./api.js" */
/** @import { Words } from "./words.js" */
import { Refused } from "./api.js";
import { element } from "./element.js";

/** @typedef {"github" | "forgejo"} Forge */

const names = /** @type {const} */ ({ github: "GitHub", forgejo: "Forgejo" });

/**
 * Runs the finished workflow on an issue. Sent again after the connection was lost, it starts nothing twice.
 * @param {{ api: Api, words: Words, sessionId: string, forges: readonly Forge[] }} parts
 */
export const runForm = ({ api, words, sessionId, forges }) => {
  const forge = element(
    "select",
    {},
    ...forges.map((kind) => element("option", { value: kind }, names[kind])),
  );
  const repository = element("input", {
    ...{ type: "text", required: true, placeholder: "owner/name", spellcheck: "false" },
    pattern: "[\\w.\\-]+/[\\w.\\-]+",
  });
  const issue = element("input", { type: "number", min: "1", step: "1", required: true });
  const note = element("textarea", { rows: "2", maxlength: "10000" });
  const start = element("button", { class: "first" }, words.start);
  const told = element("p", { role: "status" });
  const problem = element("p", { role: "alert", class: "bad-word" });
  let key = newKey();

  const send = async () => {
    start.disabled = true;
    told.textContent = words.working;
    problem.textContent = "";
    const where = { forge: forge.value, repository: repository.value.trim(), issue: Number(issue.value) };
    try {
      const run = { ...where, input: note.value.trim() };
      told.replaceChildren(...startedAs(await api.run(sessionId, run, key), words));
      key = newKey();
    } catch (error) {
      told.textContent = "";
      problem.textContent = error instanceof Refused ? error.message : words.runLost;
    }
    start.disabled = false;
  };
  const form = element(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        void send();
      },
      oninput: () => {
        key = newKey();
      },
    },
    forges.length > 1 ? element("label", {}, words.forge, forge) : null,
    element("label", {}, words.repository, repository),
    element("label", {}, words.issue, issue),
    element("label", {}, words.note, note),
    start,
    element("div", {}, told, problem),
  );
  return element("details", { class: "run" }, element("summary", {}, words.run), form);
};

/** @param {{ thread_id: string, url: string | null }} started @param {Words} words */
const startedAs = ({ thread_id, url }, words) => [
  `${words.started} `,
  element("code", {}, thread_id),
  ...(url === null
    ? []
    : [" ", element("a", { href: url, target: "_blank", rel: "noreferrer" }, words.seeIssue)]),
];

/** Also where a page has no `crypto.randomUUID`: over plain HTTP. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
