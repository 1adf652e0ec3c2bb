/** Why the proxy let something not through. */
export const refusalReasons = [
  /** No list has it. */
  "not-allowed",
  /** Only the repository's list has it, which the server does not follow so far. */
  "withheld",
  /** Its name leads to an address that is not a public host's. */
  "private-address",
  /** The request could be read in more than one way, or by no server. */
  "malformed",
  /** What is said inside names another host. */
  "other-host",
  /** What goes through a tunnel is neither TLS nor HTTP. */
  "no-tls",
  /** More than a command may send and receive, or connections at once. */
  "too-much",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** `target`: `host:port`, or what could be read of it. */
export type Refusal = { target: string; reason: RefusalReason; count: number };

const said: Readonly<Record<RefusalReason, (target: string) => string>> = {
  "not-allowed": (target) => `${target} is not allowed here`,
  withheld: (target) => `${target} is in the repository's \`network\`, but this server does not allow it`,
  "private-address": (target) => `${target} leads to an address of a private network`,
  malformed: () => "the request is not one that this proxy takes",
  "other-host": (target) => `what was sent to ${target} is for another host`,
  "no-tls": (target) => `what was sent to ${target} is neither TLS nor HTTP`,
  "too-much": (target) => `the command has sent and received too much, the last of it with ${target}`,
};

/** One sentence without its full stop, for people and models. */
export const refusalText = ({ target, reason }: Pick<Refusal, "target" | "reason">): string =>
  said[reason](target);

/** What a repository's people can change: they list a host. */
export const canBeAllowed = ({ reason }: Pick<Refusal, "reason">): boolean => reason === "not-allowed";

/** What a role is told below a command's output; empty when nothing was refused. */
export const refusalLines = (refused: readonly Refusal[]): string[] =>
  refused.length === 0
    ? []
    : [`[The network's proxy refused what the command asked for: ${refused.map(refusalText).join("; ")}.]`];

const MOST = 50;

/** The sums of two lists, the first ones first; a longer one than anybody reads is cut. */
export const addRefusals = (one: readonly Refusal[], other: readonly Refusal[]): Refusal[] => {
  const sums = new Map<string, Refusal>();
  for (const refusal of [...one, ...other]) {
    const key = `${refusal.reason} ${refusal.target}`;
    const before = sums.get(key)?.count ?? 0;
    if (before > 0 || sums.size < MOST) sums.set(key, { ...refusal, count: before + refusal.count });
  }
  return [...sums.values()];
};
