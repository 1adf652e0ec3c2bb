import { apiWith, Refused } from "./api.js";
import { conversationView } from "./conversation-view.js";
import { startView, tokenView } from "./start-view.js";
import { wordsIn } from "./words.js";

const TOKEN = "uwf-token";
const LANGUAGE = "uwf-language";

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const language = /** @type {HTMLSelectElement} */ (part("language"));
const [stage, leave, main] = [part("stage"), part("leave"), part("main")];

language.value =
  localStorage.getItem(LANGUAGE) ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");

/** @param {string} text @param {boolean} isWorking */
const showStage = (text, isWorking) => {
  stage.textContent = text;
  stage.classList.toggle("working", isWorking);
};

const translate = () => {
  const words = wordsIn(language.value);
  document.documentElement.lang = language.value === "zh" ? "zh-CN" : "en";
  document.title = `uwf · ${words.title}`;
  for (const named of document.querySelectorAll("[data-words]")) {
    const text = Object.entries(words).find(([name]) => name === named.getAttribute("data-words"))?.[1];
    named.textContent = typeof text === "string" ? text : "";
  }
  return words;
};

/** @param {string | null} problem */
const show = async (problem = null) => {
  const words = translate();
  const token = sessionStorage.getItem(TOKEN);
  const sessionId = location.hash.slice(1);
  leave.hidden = sessionId === "";
  showStage("", false);
  if (token === null) {
    const enter = (/** @type {string} */ given) => {
      sessionStorage.setItem(TOKEN, given);
      void show();
    };
    main.replaceChildren(tokenView({ words, problem, enter }));
    return;
  }
  const api = apiWith(token);
  try {
    if (sessionId === "") {
      main.replaceChildren(await startView({ words, api, open: (id) => location.assign(`#${id}`) }));
      return;
    }
    await api.ask("GET", `session/${encodeURIComponent(sessionId)}`);
    const parts = { api, words, language: language.value, sessionId, showStage };
    const { view, begin } = await conversationView(parts);
    main.replaceChildren(view);
    await begin();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 401 || error.status === 429) {
      sessionStorage.removeItem(TOKEN);
      await show(error.status === 401 ? words.tokenWrong : error.message);
    } else showStage(error.message, false);
  }
};

language.addEventListener("change", () => {
  localStorage.setItem(LANGUAGE, language.value);
  void show();
});
part("skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("say")?.focus();
});
leave.addEventListener("click", () => location.assign("#"));
window.addEventListener("hashchange", () => void show());
await show();
