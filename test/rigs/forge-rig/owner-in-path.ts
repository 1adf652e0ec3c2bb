/** Of an API's path below `/repos`, or of git's. */
export const ownerInPath = (path: string): string | null =>
  /^(?:\/api\/v\d+)?\/repos\/([^/]+)\//.exec(path)?.[1] ?? /^\/([^/]+)\/[^/]+\.git\//.exec(path)?.[1] ?? null;
