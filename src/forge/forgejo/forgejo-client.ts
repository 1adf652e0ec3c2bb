import type { z } from "zod";
import { inputError } from "../../base/errors.ts";
import { refused, unclear, unreachable } from "./forgejo-errors.ts";

export type ForgejoRequest = {
  /** Completes "could not …". */
  what: string;
  /** Default: GET. */
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** The parts of the path below `/api/v1`, as they are: they are encoded here. */
  path: readonly (string | number)[];
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
};

/**
 * Forgejo's API as one account. Every call may throw `forge-unavailable` (retry), `forge-unclear` (retry), `forge-denied`
 * (fix-config), `forge-missing` and `forge-refused` (fix-input).
 */
export type ForgejoClient = {
  /** Of the answer only what the schema keeps. */
  read<Schema extends z.ZodType>(request: ForgejoRequest, schema: Schema): Promise<z.output<Schema>>;
  /** Where the answer does not matter. */
  send(request: ForgejoRequest): Promise<void>;
  /**
   * Page after page. `end`: how the last is known: `told` by the header with the total, or by an `empty` page, where Forgejo
   * counts what it then leaves out.
   */
  pages<Schema extends z.ZodType>(
    request: ForgejoRequest & { end: "told" | "empty" },
    schema: Schema,
  ): AsyncGenerator<z.output<Schema>[]>;
};

export type ForgejoClientOptions = {
  /** Without a slash at the end. */
  url: string;
  token: string;
  /** Milliseconds for a request and its answer. Default: 30,000. */
  timeoutMs?: number;
};

/** Forgejo answers no more at once, whatever is asked for. */
const PAGE = 50;

type Answer = { text: string; total: number };

export const forgejoClient = ({ url, token, timeoutMs = 30_000 }: ForgejoClientOptions): ForgejoClient => {
  const call = async ({ what, method = "GET", path, query = {}, body }: ForgejoRequest): Promise<Answer> => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.set(name, String(value));
    const address = `${url}/api/v1/${encoded(path)}${search.size === 0 ? "" : `?${search}`}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(address, {
        method,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          accept: "application/json",
          authorization: `token ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      throw unreachable(what, error);
    }
    const { status, headers } = response;
    if (!response.ok) throw refused(what, { status, retryAfter: headers.get("retry-after"), body: text });
    return { text, total: Number(headers.get("x-total-count") ?? Number.NaN) };
  };
  return {
    read: async (request, schema) => parsed(request, (await call(request)).text, schema),
    send: async (request) => void (await call(request)),
    pages: async function* (request, schema) {
      let seen = 0;
      for (let page = 1; ; page++) {
        const query = { ...request.query, page, limit: PAGE };
        const { text, total } = await call({ ...request, query });
        const items = parsed(request, text, schema.array().nullable()) ?? [];
        if (items.length === 0) return;
        yield items;
        seen += items.length;
        if (request.end === "told" && seen >= total) return;
      }
    },
  };
};

/** Dots would lead out of the path. */
const encoded = (path: ForgejoRequest["path"]): string =>
  path
    .map((part) => {
      if (part === "" || part === "." || part === "..")
        throw inputError("forge-path", `${path.join("/")} names nothing on Forgejo`);
      return encodeURIComponent(part);
    })
    .join("/");

const parsed = <Schema extends z.ZodType>(
  { what }: ForgejoRequest,
  text: string,
  schema: Schema,
): z.output<Schema> => {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw unclear(what, "it is no JSON");
  }
  const result = schema.safeParse(answer);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw unclear(what, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
};
