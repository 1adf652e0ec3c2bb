/** Replaces secrets in a text that a person, a log or a model may see. */
export type Redact = (text: string) => string;

const MASK = "[redacted]";

/** Shorter values would blank out innocent text. */
const SHORTEST = 6;

/**
 * Masks every form in which the secrets may come back: as they are, inside JSON, URL-encoded, and in base64, alone or as
 * the password of git's Basic header. By exact value: tokens have no pattern that lasts.
 */
export const redactor = (secrets: readonly (string | null | undefined)[]): Redact => {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret === null || secret === undefined || secret.length < SHORTEST) continue;
    for (const form of formsOf(secret)) forms.add(form);
  }
  if (forms.size === 0) return (text) => text;
  // Alternatives are tried in order: the longest first. One pass over the text, however many there are.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const any = new RegExp(longestFirst.map(literally).join("|"), "g");
  return (text) => text.replace(any, MASK);
};

/** The user and password as HTTP's Basic scheme sends them. */
export const basicCredentials = (token: string): string =>
  Buffer.from(`x-access-token:${token}`, "utf8").toString("base64");

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret, "utf8");
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    basicCredentials(secret),
    basicCredentials(secret).replace(/=+$/, ""),
  ];
};
