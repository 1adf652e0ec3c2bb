import type { z } from "zod";
import { boundedResponse } from "../../base/bounded-response.ts";
import { inputError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { movedTo, refused, unclear, unreachable } from "./forgejo-errors.ts";

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
 * and `forge-moved` (fix-config), `forge-missing` and `forge-refused` (fix-input).
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
  log: Log;
  /** Milliseconds for a request and its answer. Default: 30,000. */
  timeoutMs?: number;
};

/** Forgejo answers no more at once, whatever is asked for. */
const PAGE = 50;

/** Of one answer: a page of pull requests with their whole texts has a few. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Redirects that are followed. */
const MOST_HOPS = 3;

type Sent = { status: number; headers: Headers; text: string };
type Answer = { text: string; total: number };

export const forgejoClient = (options: ForgejoClientOptions): ForgejoClient => {
  const { url, token, log, timeoutMs = 30_000 } = options;
  const send = async ({ what, method = "GET", body }: ForgejoRequest, address: string): Promise<Sent> => {
    const began = performance.now();
    try {
      const answer = await fetch(address, {
        method,
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          accept: "application/json",
          authorization: `token ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { status, headers } = answer;
      const text = await boundedResponse(answer, MAX_BYTES).text();
      const ms = Math.round(performance.now() - began);
      log.debug({ method, path: new URL(address).pathname, status, ms }, "Forgejo answered");
      return { status, headers, text };
    } catch (error) {
      throw unreachable(what, error);
    }
  };
  /** A repository that has a new name answers at its old one where it is now. */
  const follow = async (request: ForgejoRequest, address: string): Promise<Sent> => {
    let sent = await send(request, address);
    for (let hops = 0; hops < MOST_HOPS; hops++) {
      const location = sent.headers.get("location");
      if (sent.status < 300 || sent.status >= 400 || location === null) return sent;
      const target = URL.parse(location, address);
      if (target === null || target.origin !== new URL(url).origin) throw movedTo(request.what, location);
      sent = await send(request, target.href);
    }
    return sent;
  };
  const call = async (request: ForgejoRequest): Promise<Answer> => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(request.query ?? {})) search.set(name, String(value));
    const address = `${url}/api/v1/${encoded(request.path)}${search.size === 0 ? "" : `?${search}`}`;
    const { status, headers, text } = await follow(request, address);
    if (status < 200 || status >= 300)
      throw refused(request.what, { status, retryAfter: headers.get("retry-after"), body: text });
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
