import { isAbsolute } from "node:path";
import { inputError } from "../base/errors.ts";

const SCHEMES = new Set(["http:", "https:", "ssh:", "file:"]);
const SCP_FORM = /^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/)[^\s:][^\s]*$/;

const HINT = "Give an absolute path, an http(s), ssh or file address, or user@host:path.";

/**
 * Answers the address when git may be given it: nothing that git would take for an option, a command (`ext::…`) or a
 * bundle, and no password in it. Throws `repository-invalid` (fix-input).
 */
export const checkedUrl = (url: string): string => {
  const refuse = (why: string) => inputError("repository-invalid", `${JSON.stringify(url)} ${why}.`, HINT);
  if (url.trim() === "") throw refuse("is not the address of a repository");
  if (hasControlCharacter(url)) throw refuse("contains a control character");
  if (url.startsWith("-")) throw refuse("would be taken for an option");
  if (isAbsolute(url)) return url;
  if (/^[A-Za-z0-9+.-]*::/.test(url)) throw refuse("would start a helper program");
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(url)) return checkedAddress(url, refuse);
  if (SCP_FORM.test(url)) return url;
  throw refuse("is not the address of a repository");
};

const checkedAddress = (url: string, refuse: (why: string) => Error): string => {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !SCHEMES.has(parsed.protocol)) throw refuse("has an address that is not allowed");
  if (parsed.password !== "" || (parsed.username !== "" && parsed.protocol !== "ssh:"))
    throw inputError(
      "repository-invalid",
      `The address of ${parsed.host} contains a user or password.`,
      HINT,
    );
  const namesHost = /^[A-Za-z0-9[]/.test(parsed.hostname) && !/^[a-z]+:\/\/\//i.test(url);
  if (parsed.protocol !== "file:" && !namesHost) throw refuse("names no host");
  if (parsed.username.startsWith("-")) throw refuse("would be taken for an option");
  return url;
};

const hasControlCharacter = (text: string): boolean =>
  [...text].some((character) => character < " " || character === "\u007f");
