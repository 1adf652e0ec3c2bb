import { stripTypeScriptTypes } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { parseAllDocuments } from "yaml";

/** Parses, never runs: null when the text is well-formed or could not be judged, else what is wrong and where. */
const problemOf = (language: string, text: string): string | null => {
  try {
    if (language === "json") JSON.parse(text);
    else if (language === "yaml")
      return parseAllDocuments(text).flatMap((one) => one.errors)[0]?.message ?? null;
    else stripTypeScriptTypes(text, { mode: "transform" });
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) return null;
    const line = /^:(\d+)\n/.exec(error.stack ?? "")?.[1];
    return line === undefined ? error.message : `line ${line}: ${error.message}`;
  }
};

const { language, texts } = workerData as { language: string; texts: string[] };
parentPort?.postMessage(texts.map((text) => problemOf(language, text)));
