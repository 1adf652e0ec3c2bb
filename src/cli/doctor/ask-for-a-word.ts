import { openModel } from "../../app.ts";
import { silentLog } from "../../base/log.ts";
import type { Config } from "../../config/config.ts";
import { formatDuration } from "../format.ts";

const patienceMs = 30_000;

/** Asks the default model for one word and answers how long that took. Throws as `Model.ask`. */
export const askForAWord = async (config: Config): Promise<string> => {
  const model = await openModel(config, { alias: config.defaultModel, log: silentLog });
  const began = performance.now();
  await model.ask(
    {
      messages: [{ role: "user", content: "Answer with the one word: ready" }],
      tools: [],
      toolChoice: "none",
    },
    { signal: AbortSignal.timeout(patienceMs) },
  );
  return formatDuration(performance.now() - began);
};
