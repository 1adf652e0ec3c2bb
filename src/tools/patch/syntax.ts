import { extname } from "node:path";
import { Worker } from "node:worker_threads";

type Language = "json" | "yaml" | "javascript";

const LANGUAGES: Readonly<Record<string, Language>> = {
  ".json": "json",
  ".yaml": "yaml",
  ".yml": "yaml",
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".ts": "javascript",
  ".mts": "javascript",
  ".cts": "javascript",
};

const MAX_CHARS = 256 * 1024;
const MAX_MS = 3000;

/**
 * The syntax error that an edit brought into a JSON, YAML, JavaScript or TypeScript file, or null: also when the file
 * did not parse before, is larger than 256 K characters, or the parser did not manage.
 */
export const newSyntaxError = async (
  path: string,
  { before, after, signal }: { before: string; after: string; signal: AbortSignal },
): Promise<string | null> => {
  const language = LANGUAGES[extname(path).toLowerCase()];
  if (language === undefined || Math.max(after.length, before.length) > MAX_CHARS) return null;
  const [earlier, now] = (await parse(language, [before, after], signal)) ?? [];
  return typeof now === "string" && earlier === null ? firstLine(now) : null;
};

const firstLine = (text: string): string => (text.split("\n")[0] ?? text).trim();

/**
 * Parses in a thread of its own: a hostile file can break the TypeScript parser for the rest of a thread's life, or
 * keep a parser busy for minutes. null when there was no answer.
 */
const parse = (
  language: Language,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(string | null)[] | null> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL("./syntax-worker.ts", import.meta.url), {
      workerData: { language, texts },
      env: {},
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      stdout: true,
      stderr: true,
    });
    const finish = (problems: (string | null)[] | null): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      resolve(problems);
      void worker.terminate();
    };
    const giveUp = (): void => finish(null);
    const timer = setTimeout(giveUp, MAX_MS);
    signal.addEventListener("abort", giveUp, { once: true });
    worker.once("message", finish);
    worker.once("error", giveUp);
    worker.once("exit", giveUp);
  });
