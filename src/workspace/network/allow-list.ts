import { type ReadEntry, type Rule, readEntry, readInternal } from "./entry.ts";
import { isLoopback, sameHost, type Target } from "./host-name.ts";
import type { Allowance } from "./network.ts";

/** Which entries of a repository's own list a server follows. */
export type RepositoryNetwork = "any" | "presets" | "none";

/** `internal`: whatever its addresses are; `withheld`: the repository asks for it, and the server does not let it. */
export type Verdict = "allowed" | "internal" | "withheld" | "not-allowed";

export type AllowList = {
  /** Nothing was asked for. */
  isEmpty: boolean;
  /** Of this machine's loopback, what is allowed, one for each port that a command could have on its own. */
  local: readonly Target[];
  verdict(target: Target): Verdict;
};

/** Where each list comes from decides how far it is followed. Entries that cannot be read allow nothing. */
export type Lists = {
  /** The operator's own, for every command and for this one. */
  operator: readonly Allowance[];
  /** The repository's, and what its files ask for. */
  repository: readonly string[];
  repositoryNetwork: RepositoryNetwork;
};

/** Decides by name and port alone. */
export const allowList = ({ operator, repository, repositoryNetwork }: Lists): AllowList => {
  const asked = repository.map(readEntry);
  const followed = asked.filter((entry) => isFollowed(entry, repositoryNetwork));
  const rules = [...operator.flatMap(({ hosts }) => hosts.map(readEntry)), ...followed].flatMap(rulesOf);
  const withheld = asked.flatMap(rulesOf);
  const internal = operator.flatMap((each) => each.internal.flatMap((entry) => readInternal(entry) ?? []));
  return {
    isEmpty: rules.length + internal.length + withheld.length === 0,
    local: onePerPort(internal.filter(({ host, port }) => isLoopback(host) && port >= UNPRIVILEGED)),
    verdict: (target) => {
      if (internal.some(({ host, port }) => port === target.port && sameHost(host, target.host)))
        return "internal";
      if (rules.some((rule) => covers(rule, target))) return "allowed";
      return withheld.some((rule) => covers(rule, target)) ? "withheld" : "not-allowed";
    },
  };
};

const UNPRIVILEGED = 1024;

const onePerPort = (targets: readonly Target[]): Target[] => [
  ...new Map(targets.map((target) => [target.port, target])).values(),
];

const isFollowed = (entry: ReadEntry, most: RepositoryNetwork): boolean => {
  switch (most) {
    case "any":
      return true;
    case "presets":
      return entry.kind === "preset" && !entry.isCodeHost;
    case "none":
      return false;
  }
};

const rulesOf = (entry: ReadEntry): readonly Rule[] => (entry.kind === "wrong" ? [] : entry.rules);

const covers = ({ name, below, ports }: Rule, { host, port }: Target): boolean =>
  host.kind === "name" &&
  ports.includes(port) &&
  (below ? host.text.endsWith(`.${name}`) : host.text === name);
