/** @import { Api } from "./api.js" */
/** @import { Words } from "./words.js" */
import { Refused } from "./api.js";
import { element } from "./element.js";

/**
 * Asks for the server's token, which stays in this tab.
 * @param {{ words: Words, problem: string | null, enter: (token: string) => void }} parts
 */
export const tokenView = ({ words, problem, enter }) => {
  const field = element("input", { type: "password", autocomplete: "off", required: true });
  return element(
    "div",
    { class: "narrow" },
    element(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          enter(field.value.trim());
        },
      },
      element("label", {}, words.token, field),
      problem === null ? null : element("p", { role: "alert", class: "bad-word" }, problem),
      element("button", { class: "first" }, words.enter),
    ),
  );
};

/**
 * Begins a conversation, or goes on with one.
 * @param {{ words: Words, api: Api, open: (sessionId: string) => void }} parts
 */
export const startView = async ({ words, api, open }) => {
  /** @type {{ sessions: OpenSession[] }} */
  const { sessions } = await api.ask("GET", "session?limit=50");
  return element(
    "div",
    { class: "narrow" },
    element("h2", {}, words.beginTitle),
    beginForm({ words, api, open }),
    element("h2", {}, words.open),
    sessions.length === 0
      ? element("p", { class: "quiet" }, words.noneOpen)
      : element("ul", { class: "sessions" }, ...sessions.map((one) => sessionItem(one, { words, open }))),
  );
};

/** @param {{ words: Words, api: Api, open: (sessionId: string) => void }} parts */
const beginForm = ({ words, api, open }) => {
  const actions = /** @type {const} */ (["create", "edit", "copy"]);
  const action = element(
    "select",
    {},
    ...actions.map((name) => element("option", { value: name }, words[name])),
  );
  const name = element("input", { type: "text" });
  const named = element("label", { hidden: true }, words.workflowName, name);
  const problem = element("p", { role: "alert", class: "bad-word" });
  action.addEventListener("change", () => {
    named.hidden = action.value === "create";
    name.required = !named.hidden;
  });
  return element(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        problem.textContent = "";
        const source = action.value === "create" ? {} : { workflow_name: name.value.trim() };
        try {
          const { session_id } = await api.ask("POST", "session", { action: action.value, ...source });
          open(session_id);
        } catch (error) {
          problem.textContent = error instanceof Refused ? error.message : words.lost;
        }
      },
    },
    element("label", {}, words.action, action),
    named,
    problem,
    element("button", { class: "first" }, words.begin),
  );
};

/** @typedef {{ session_id: string, action_type: "create" | "edit" | "copy", last_updated: string }} OpenSession */

/**
 * @param {OpenSession} session
 * @param {{ words: Words, open: (sessionId: string) => void }} parts
 */
const sessionItem = ({ session_id, action_type, last_updated }, { words, open }) =>
  element(
    "li",
    {},
    element(
      "button",
      { type: "button", onclick: () => open(session_id) },
      `${words[action_type]} · ${new Date(last_updated).toLocaleString()}`,
    ),
  );
