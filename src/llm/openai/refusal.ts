import { isObject } from "../../base/json.ts";

/** What a server said when it refused a request or broke off a reply. */
export type Refusal = {
  /** The HTTP status, or a status that stood in the body of a broken stream. */
  status: number | null;
  /** The server's own codes and types, in lower case, joined. */
  codes: string;
  /** Its words, on one line. */
  text: string;
  headers: Headers | undefined;
};

const MAX_TEXT = 500;

/**
 * Reads an error of the client. `body` is the answer as it came: many servers do not wrap their errors as OpenAI
 * does (`{"error": {…}}`), but send `{"message"}`, `{"detail"}`, `{"error": "text"}`, a list of these, or HTML.
 */
export const refusalOf = (error: unknown, body: string | null): Refusal => {
  const { status, headers, error: inner } = isObject(error) ? error : {};
  const details = detailsOf(body === null ? inner : (parsed(body) ?? body));
  const codes = [details.code, details.type, details.status].filter(
    (code) => code !== undefined && code !== null,
  );
  const message = textOf(details.message) ?? (error instanceof Error ? error.message : String(error));
  return {
    status: typeof status === "number" ? status : statusIn(details.code),
    codes: codes.join(" ").toLowerCase(),
    text: shorten(message),
    headers: headers instanceof Headers ? headers : undefined,
  };
};

type Details = { message?: unknown; code?: unknown; type?: unknown; status?: unknown };

const detailsOf = (body: unknown): Details => {
  if (Array.isArray(body) && body.length === 1) return detailsOf(body[0]);
  if (!isObject(body)) return { message: body };
  if (isObject(body.error)) return detailsOf(body.error);
  const { message, error, detail, msg, code, type, status } = body;
  return { message: message ?? detail ?? error ?? msg ?? body, code, type, status };
};

const textOf = (message: unknown): string | null => {
  if (message === undefined || message === null || message === "") return null;
  return typeof message === "string" ? message : JSON.stringify(message);
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
};

const statusIn = (code: unknown): number | null => {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : null;
};

const MAX_PAGE = 10_000;

/** Pages of proxies are HTML: their tags say nothing. */
const shorten = (message: string): string => {
  const text = message
    .slice(0, MAX_PAGE)
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, " ")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
};
