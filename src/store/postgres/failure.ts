import { AppError, configError, messageOf, type Remedy } from "../../base/errors.ts";

/** What the database said, by its SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const problems: Readonly<
  Record<string, { code: string; remedy: Remedy; problem: string; hint: string } | undefined>
> = {
  "28P01": refused("Check user and password in the database's URL."),
  "28000": refused("Check the user in the database's URL, and what the server's pg_hba.conf lets in."),
  "3D000": refused("Create the database, or name another one in the URL."),
  "42501": refused("Make the user the owner of the schema, or let it create one in the database."),
  "25006": {
    code: "store-readonly",
    remedy: "fix-config",
    problem: "cannot be written",
    hint: "Name the primary server in the database's URL, not a standby.",
  },
  "53100": {
    code: "store-full",
    remedy: "fix-config",
    problem: "cannot grow: the disk is full",
    hint: "Free some space on the database's server, then try again.",
  },
  "58030": {
    code: "store-io",
    remedy: "fix-config",
    problem: "cannot be read or written",
    hint: "Check the disk of the database's server.",
  },
  XX001: corrupt(),
  XX002: corrupt(),
};

function refused(hint: string) {
  return {
    code: "store-unreachable",
    remedy: "fix-config" as const,
    problem: "does not let this program in",
    hint,
  };
}

function corrupt() {
  return {
    code: "store-corrupt",
    remedy: "fix-config" as const,
    problem: "is damaged",
    hint: "Restore it from a backup.",
  };
}

/** Of a transaction that was undone only because of others: a rival's, a deadlock, a lock waited for too long. */
const rivals = ["40001", "40P01", "55P03"];

/** Classes of what a server says that is not there for now: connection exceptions, too many connections, its own end. */
const gone = /^(08...|53300|57P0[1-3])$/;

/** The driver's and our own words for a connection that is lost, or was never made. */
const lost =
  /^(Connection terminated|The database keeps silent|timeout e|Client (has|was) .* not queryable|Connection ended)/;

const network = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "ETIMEDOUT", "EPIPE", "EHOSTUNREACH", "EHOSTDOWN"],
  ...["ENETUNREACH", "ENETDOWN", "EADDRNOTAVAIL", "EAI_AGAIN", "ENOTFOUND", "ENOENT", "ERR_SOCKET_CLOSED"],
]);

export type FailureKind =
  /** The same statement may go through at once. */
  | "rival"
  /** No answer, or not now: another connection may have more luck. */
  | "lost"
  /** It would fail again. */
  | "final";

export const kindOf = (error: unknown): FailureKind => {
  if (error instanceof AggregateError)
    return error.errors.every((one) => kindOf(one) === "lost") ? "lost" : "final";
  const code = codeOf(error);
  if (rivals.includes(code)) return "rival";
  if (gone.test(code) || network.has(code) || lost.test(messageOf(error))) return "lost";
  return "final";
};

const SILENCE = "The database keeps silent";

/** What is thrown when the server kept silent for too long. */
export const silence = (): Error => new Error(SILENCE);

/** Whether it was that: the server's other connections are not to be trusted either. */
export const isSilence = (error: unknown): boolean => messageOf(error) === SILENCE;

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** The hash or id that a function of the schema named. */
export const detailOf = (error: unknown): string =>
  error instanceof Error && "detail" in error && typeof error.detail === "string" ? error.detail : "";

export const storeUnreachable = (name: string, cause: unknown): AppError =>
  new AppError(`the store ${name} cannot be reached (${reasonOf(cause)})`, {
    code: "store-unreachable",
    remedy: "retry",
    hint: "Check that the database runs and can be reached from this machine.",
    cause,
  });

export const storeBusy = (name: string, cause: unknown): AppError =>
  new AppError(`the store ${name} is locked by others (${reasonOf(cause)})`, {
    code: "store-busy",
    remedy: "retry",
    hint: "Another process is writing a lot, or was stopped in the middle: try again, or look for it.",
    cause,
  });

export const notAStore = (name: string, why: string): AppError =>
  configError(
    "store-corrupt",
    `the database ${name} is not a store: ${why}`,
    "Name another database in the URL.",
  );

/** What the database said, as an `AppError` that names the place; anything else as it is. */
export const storeFailure = (name: string, error: unknown): unknown => {
  if (error instanceof AppError) return error;
  const known = problems[codeOf(error)] ?? tlsProblem(error);
  if (known === undefined) return error;
  const { code, remedy, problem, hint } = known;
  return new AppError(`the store ${name} ${problem} (${reasonOf(error)})`, {
    code,
    remedy,
    hint,
    cause: error,
  });
};

/** Every failure of a certificate has a code that begins so, or names what it could not do with one. */
const tls = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
const secrets = /^(The server does not support SSL|There was an error establishing an SSL|SASL|SCRAM)/;

const tlsProblem = (error: unknown) => {
  const hint = "Check sslmode, sslrootcert and password in the database's URL.";
  if (!tls.test(codeOf(error)) && !secrets.test(messageOf(error))) return undefined;
  return { ...refused(hint), problem: "cannot be reached as its URL says" };
};

/** Several addresses of one host fail together, without words of their own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? messageOf(error.errors[0]) : messageOf(error);
