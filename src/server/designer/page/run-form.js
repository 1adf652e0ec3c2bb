/** @import { Api } from "./api.js" */
/** @import { Words } from "./words.js" */
import { Refused } from "./api.js";
import { element } from "./element.js";

/**
 * Runs the finished workflow on a repository.
 * @param {{ words: Words, api: Api, sessionId: string }} parts
 */
export const runForm = ({ words, api, sessionId }) => {
  const repository = element("input", { type: "text", required: true });
  const issue = element("input", { type: "text", inputmode: "numeric", pattern: "[0-9]+" });
  const task = element("input", { type: "text" });
  const result = element("p", { role: "status" });
  const run = async () => {
    const { thread_id, url } = await api.ask("POST", `workflow/${sessionId}/run`, {
      repository: repository.value.trim(),
      ...(issue.value === "" ? {} : { issue: Number(issue.value) }),
      ...(task.value.trim() === "" ? {} : { input: task.value.trim() }),
    });
    const where = url === null ? element("code", {}, thread_id) : element("a", { href: url }, url);
    result.replaceChildren(`${words.started} `, where);
  };
  return element(
    "section",
    {},
    element("h2", {}, words.run),
    element(
      "form",
      {
        class: "run",
        onsubmit: async (event) => {
          event.preventDefault();
          result.textContent = "";
          await run().catch((error) => {
            result.textContent = error instanceof Refused ? error.message : words.lost;
          });
        },
      },
      element("label", {}, words.repository, repository),
      element("label", {}, words.issue, issue),
      element("label", {}, words.task, task),
      element("button", { class: "first" }, words.run),
    ),
    result,
  );
};
