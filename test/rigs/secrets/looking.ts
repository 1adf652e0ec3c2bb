import { readdirSync, readFileSync } from "node:fs";

/** The ways in which a secret may be written down, by name: written here once more, not by what masks them. */
const forms: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  base64: (secret) => inside(secret, 0),
  "base64, after one character": (secret) => inside(secret, 1),
  "base64, after two characters": (secret) => inside(secret, 2),
  "base64 for addresses": (secret) => inside(secret, 0).replaceAll("+", "-").replaceAll("/", "_"),
  hexadecimal: (secret) => Buffer.from(secret).toString("hex"),
  address: (secret) => encodeURIComponent(secret),
  JSON: (secret) => JSON.stringify(secret).slice(1, -1),
  backwards: (secret) => [...secret].reverse().join(""),
  "UTF-16": (secret) => [...secret].join("\0"),
};

export const formCount = Object.keys(forms).length;

/** What of the base64 does not depend on what stands around. */
const inside = (secret: string, before: number): string => {
  const text = Buffer.from(`${"x".repeat(before)}${secret}`).toString("base64");
  return text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + secret.length) * 8) / 6));
};

/** `place: secret (form)` for each that is found. */
export const found = (
  places: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): string[] =>
  Object.entries(secrets).flatMap(([name, secret]) =>
    [...new Set(Object.entries(forms).map(([form, write]) => `${form}\n${write(secret)}`))].flatMap(
      (pair) => {
        const [form = "", ...rest] = pair.split("\n");
        const text = rest.join("\n");
        return Object.keys(places)
          .filter((place) => places[place]?.includes(text))
          .map((place) => `${place}: ${name} (${form})`);
      },
    ),
  );

/** Every process of the machine: how it was called, and what commands of roles have in their environment. */
export const processesNow = (): { commandLines: string[]; environments: string[] } => {
  const seen = { commandLines: [] as string[], environments: [] as string[] };
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      seen.commandLines.push(readFileSync(`/proc/${pid}/cmdline`, "latin1"));
      // With an id of its own inside, it is in a sandbox.
      const ids = /^NSpid:(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? "";
      if (ids.trim().split(/\s+/).length > 1)
        seen.environments.push(readFileSync(`/proc/${pid}/environ`, "latin1"));
    } catch (error) {
      if (!/^(ENOENT|ESRCH|EACCES|EPERM)$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    }
  }
  return seen;
};
