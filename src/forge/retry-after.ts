/** Milliseconds until a server wants to be asked again, from its `Retry-After` (seconds, or a date); undefined when it says neither. */
export const retryAfterMs = (header: string): number | undefined => {
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
};
