const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * How many milliseconds the server wants to be left alone: `retry-after-ms`, `Retry-After` (seconds or a
 * date, RFC 9110), the reset of an exhausted `x-ratelimit` budget, or "try again in 1.5s" in the text. Null: it does not say.
 */
export const askedWait = (
  headers: Headers | undefined,
  text: string,
  now: number = Date.now(),
): number | null => fromRetryAfter(headers, now) ?? fromRateLimit(headers, now) ?? fromText(text);

const fromRetryAfter = (headers: Headers | undefined, now: number): number | null => {
  const ms = headers?.get("retry-after-ms")?.trim();
  if (ms && /^\d+(\.\d+)?$/.test(ms)) return Math.ceil(Number(ms));
  const after = headers?.get("retry-after")?.trim();
  if (!after) return null;
  if (/^\d+(\.\d+)?$/.test(after)) return Math.ceil(Number(after) * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
};

/** Budgets that have something left tell nothing: their reset may lie far beyond the next chance. */
const fromRateLimit = (headers: Headers | undefined, now: number): number | null => {
  const waits = ["-requests", "-tokens", ""].flatMap((budget) => {
    const reset = headers?.get(`x-ratelimit-reset${budget}`);
    const remaining = headers?.get(`x-ratelimit-remaining${budget}`) ?? "0";
    const wait = reset && Number(remaining) <= 0 ? durationOf(reset, now) : null;
    return wait === null ? [] : [wait];
  });
  return waits.length === 0 ? null : Math.max(...waits);
};

const fromText = (text: string): number | null => {
  const asked =
    /(?:try again|retry|wait)(?:ing)? (?:in|after|for) (?:about )?((?:\d+(?:\.\d+)?\s?(?:ms|s|m|h)[a-z]*\s?)+)/i;
  const found = asked.exec(text)?.[1];
  return found === undefined ? null : durationOf(found.replace(/(ms|s|m|h)[a-z]*/gi, "$1"), 0);
};

/** `20ms`, `1m30.5s`, plain seconds, or a time of day as seconds or milliseconds since the epoch. */
const durationOf = (value: string, now: number): number | null => {
  const text = value.replace(/\s+/g, "");
  if (/^\d+(\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (number > 1e11) return Math.max(0, number - now);
    if (number > 1e9) return Math.max(0, number * 1000 - now);
    return Math.ceil(number * 1000);
  }
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return null;
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(number) * (UNITS[unit ?? ""] ?? 0);
  }
  return Math.ceil(total);
};
