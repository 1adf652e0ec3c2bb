/** @import { StreamEvent } from "../stream-event.ts" */
/** @import { Conversation } from "../../../designer/agent-state.ts" */
/** @import { Api } from "./api.js" */
/** @import { Words } from "./words.js" */
import { alternativeCards } from "./alternative-cards.js";
import { Refused } from "./api.js";
import { element } from "./element.js";
import { questionForm } from "./question-form.js";
import { runForm } from "./run-form.js";
import { workflowView } from "./workflow-view.js";

/**
 * One conversation: what was said, what is asked, and what has come of it.
 * @param {{ api: Api, words: Words, language: string, sessionId: string, showStage: (text: string, isWorking: boolean) => void }} parts
 */
export const conversationView = async ({ api, words, language, sessionId, showStage }) => {
  const log = element("div", { class: "log", role: "log", "aria-label": words.log, tabindex: "0" });
  const made = element("aside", { class: "made", "aria-label": words.workflow });
  let stage = "";
  /** @type {AbortController | null} */
  let working = null;

  /** @param {keyof Pick<Words, "you" | "designer" | "program">} who @param {string} kind @param {string} text */
  const entry = (who, kind, text) =>
    element(
      "div",
      { class: `entry ${kind}` },
      element("span", { class: "who" }, words[who]),
      ...withCode(text),
    );
  /** @param {Node} node */
  const add = (node) => {
    log.append(node);
    log.scrollTop = log.scrollHeight;
    if (node instanceof Element) node.scrollIntoView({ block: "nearest" });
  };
  const showMade = async () => {
    const status = await api.ask("GET", `workflow/${sessionId}/status`);
    const canRun = status.stage === "completed" && status.runs_on.length > 0;
    const run = canRun ? runForm({ api, words, sessionId, forges: status.runs_on }) : null;
    made.replaceChildren(...workflowView(status.workflow_data ?? null, { words, run }));
  };

  /** What is being written; it counts for nobody who listens until it is whole. */
  const piece = element("div", { class: "entry", "aria-hidden": "true" });
  /** @param {StreamEvent} event */
  const show = async (event) => {
    if (event.type === "status") {
      stage = event.content.stage_description;
      showStage(stage, true);
    } else if (event.type === "error") showFailure(event.content);
    else if (event.type === "message") showMessage(event);
    else await showMade();
  };
  /** @param {Extract<StreamEvent, { type: "message" }>} event */
  const showMessage = (event) => {
    if ("delta" in event) {
      piece.textContent = (event.restart ? "" : piece.textContent) + event.delta;
      if (piece.textContent !== "") add(piece);
      return;
    }
    piece.remove();
    piece.textContent = "";
    const { text, questions = [], alternatives = [] } = event.content;
    add(entry("designer", "assistant", text));
    if (questions.length > 0) add(questionForm(questions, { words, answer: (given) => say(given) }));
    if (alternatives.length > 0) add(alternativeCards(alternatives, { words, choose: say }));
  };
  /** @param {{ message: string, details: string, is_recoverable: boolean }} failure */
  const showFailure = ({ message, details, is_recoverable }) => {
    piece.remove();
    const failed = entry("program", "error", [message, details].filter((text) => text !== "").join("\n"));
    failed.setAttribute("role", "alert");
    if (is_recoverable)
      failed.append(
        element("p", {}, element("button", { type: "button", onclick: () => say("") }, words.goOn)),
      );
    add(failed);
  };

  const field = element("textarea", { id: "say", rows: "2" });
  const send = element("button", { class: "first" }, words.send);
  const stop = element(
    "button",
    { type: "button", hidden: true, onclick: () => working?.abort() },
    words.stop,
  );

  /** @param {string} text @param {string} [shown] What the person meant by it. */
  const say = async (text, shown = text) => {
    if (working !== null) return;
    working = new AbortController();
    for (const asked of log.querySelectorAll(".ask, .cards")) asked.remove();
    if (text !== "") add(entry("you", "user", shown));
    send.disabled = true;
    stop.hidden = false;
    showStage(stage || words.working, true);
    try {
      const config = { language, enable_streaming: true, enable_rag: true };
      const said = { session_id: sessionId, user_message: text, config };
      for await (const event of api.say(said, working.signal)) await show(event);
    } catch (error) {
      const message = error instanceof Refused ? error.message : words.lost;
      showFailure({ message, details: "", is_recoverable: true });
    }
    working = null;
    send.disabled = false;
    stop.hidden = true;
    showStage(stage, false);
    await showMade();
    field.focus();
  };
  const sendField = () => {
    const text = field.value.trim();
    if (text === "" || working !== null) return;
    field.value = "";
    void say(text);
  };
  field.addEventListener("keydown", (event) => {
    // Enter also ends the choice of a Chinese character.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    sendField();
  });

  const composer = element(
    "form",
    {
      class: "say",
      onsubmit: (event) => {
        event.preventDefault();
        sendField();
      },
    },
    element("label", {}, element("span", { class: "hidden-label" }, words.say), field),
    stop,
    send,
  );

  const begin = async () => {
    /** @type {{ conversations: Conversation[], current_stage: string }} */
    const { conversations, current_stage } = await api.ask("GET", `chat/history/${sessionId}`);
    const isOver = current_stage === "completed";
    for (const { role, text } of isOver ? conversations : withoutLast(conversations))
      add(entry(speakers[role], role, text));
    await showMade();
    if (!isOver) await say("");
  };
  return {
    view: element("div", { class: "work" }, element("div", { class: "talk" }, log, composer), made),
    begin,
  };
};

/** Names between backticks as code. @param {string} text */
const withCode = (text) =>
  text.split(/`([^`\n]+)`/).map((piece, at) => (at % 2 === 1 ? element("code", {}, piece) : piece));

const speakers = /** @type {const} */ ({ user: "you", assistant: "designer", system: "program" });

/** What was asked last is asked again. @param {readonly Conversation[]} conversations */
const withoutLast = (conversations) =>
  conversations.at(-1)?.role === "assistant" ? conversations.slice(0, -1) : conversations;
