import { isObject } from "../../../src/base/json.ts";

/** A request to the emulator behind the proxy, as one person; throws unless it succeeds. */
export type Api = (method: string, path: string, body?: unknown) => Promise<unknown>;

export const apiAs =
  (url: string, token: string | undefined): Api =>
  async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `token ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok)
      throw new Error(`the emulator answers ${method} ${path} with ${response.status}: ${answer}`);
    return answer === "" ? undefined : JSON.parse(answer);
  };

/** The value at a path of keys of foreign JSON; undefined where it leads nowhere. */
export const at = (value: unknown, ...keys: (string | number)[]): unknown =>
  keys.reduce<unknown>(
    (inner, key) =>
      Array.isArray(inner) ? inner[Number(key)] : isObject(inner) ? inner[String(key)] : undefined,
    value,
  );
