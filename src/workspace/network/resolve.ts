import { lookup, Resolver } from "node:dns/promises";
import { inputError, messageOf } from "../../base/errors.ts";

/** The addresses of a name. `internal`: the operator vouches for it, so this machine's own names count too. */
export type Resolve = (name: string, from: "public" | "internal") => Promise<string[]>;

const TIMEOUT_MS = 3_000;
const TRIES = 2;
const nothing = new Set(["ENODATA", "ENOTFOUND"]);

/**
 * Asks name servers for both kinds of addresses, the older kind first. Public names are asked for as they are: no search
 * list, no `/etc/hosts`. `servers`: `address:port`; by default those of this machine. Throws `host-unresolved` (fix-input).
 */
export const dnsResolve = ({ servers }: { servers?: readonly string[] } = {}): Resolve => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const none = (error: NodeJS.ErrnoException): string[] => {
    if (nothing.has(error.code ?? "")) return [];
    throw error;
  };
  const asked = async (name: string): Promise<string[]> => {
    const both = [resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)];
    const answers = await Promise.allSettled(both);
    const addresses = answers.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    const failed = answers.find((each) => each.status === "rejected");
    if (addresses.length === 0 && failed !== undefined) throw failed.reason;
    return addresses;
  };
  return async (name, from) => {
    try {
      const addresses =
        from === "public"
          ? await asked(name)
          : (await lookup(name, { all: true })).map(({ address }) => address);
      if (addresses.length > 0) return addresses;
    } catch (error) {
      throw inputError("host-unresolved", `${name} was not found (${messageOf(error)})`);
    }
    throw inputError("host-unresolved", `${name} was not found`);
  };
};
