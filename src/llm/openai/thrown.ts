import { AppError, messageOf } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import { type Failure, failureOf, type Names } from "./failure.ts";
import { refusalOf } from "./refusal.ts";

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/;
/** A request that had to be given up has used up much time already. */
const TRIES_WHEN_GIVEN_UP = 2;

/** What the client threw (or found) while one request ran. */
export type Thrown = { error: unknown; body: string | null; gaveUp: string | null };

/** Tells refusals, which the server spoke, from failures on the way to it. */
export const failureOfThrown = ({ error, body, gaveUp }: Thrown, names: Names): Failure => {
  const passing = (reason: string, tries = 1): Failure => ({ kind: "passing", reason, waitMs: null, tries });
  if (gaveUp !== null) return passing(`${names.provider} ${gaveUp}`, TRIES_WHEN_GIVEN_UP);
  if (error instanceof AppError) {
    return error.code === "model-stream-broken"
      ? passing(`${names.provider}: ${error.message}`)
      : { kind: "final", error };
  }
  if (error instanceof SyntaxError) return passing(`${names.provider} sent a chunk that is not JSON`);
  const { status, error: inner } = isObject(error) ? error : {};
  if (typeof status === "number" || isObject(inner) || body !== null) {
    return failureOf(refusalOf(error, body), names);
  }
  const reason = rootOf(error);
  if (CERTIFICATE.test(reason.code)) return badCertificate(reason.message, names);
  return passing(`no reply from ${names.provider} at ${names.baseUrl} (${reason.message})`);
};

/** The innermost cause says what happened; the outer ones say "fetch failed". */
const rootOf = (error: unknown): { message: string; code: string } => {
  let root = error;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  const code = isObject(root) && typeof root.code === "string" ? root.code : "";
  const message = messageOf(root);
  return { code, message: message === "" ? code || messageOf(error) : message };
};

const badCertificate = (message: string, { provider, baseUrl }: Names): Failure => ({
  kind: "final",
  error: new AppError(`the certificate of ${provider} at ${baseUrl} is not trusted (${message})`, {
    code: "model-refused",
    remedy: "fix-config",
    hint: `Correct providers.${provider}.baseUrl, or name the issuing authority's file in NODE_EXTRA_CA_CERTS.`,
  }),
});
