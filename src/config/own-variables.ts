import { Environment } from "./environment.ts";

/** uwf asks models with these, and so may the programs that it runs. */
const SHARED = new Set(["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "LOG_LEVEL"]);

/** Whether a variable is this program's own, such as the forge's key: no other program is given it. */
export const isOwnVariable = (name: string): boolean =>
  Object.hasOwn(Environment.shape, name) && !SHARED.has(name);
