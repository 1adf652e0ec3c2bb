import { inlineCode } from "./inline-code.ts";

/** A login as a mention, which sends a mail; as code where it is none that forges have. */
export const mention = (login: string): string =>
  /^[A-Za-z0-9][\w.-]*$/.test(login) ? `@${login}` : inlineCode(login);
