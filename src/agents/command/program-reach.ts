import type { Reach } from "../../workspace/network/network.ts";

/**
 * What a program that plays roles reaches beside what all commands of its thread do: the usual hosts of its model, those that the
 * operator lists for it, and every address that the operator gives it in an argument or a variable, in a private network too.
 */
export const programReach = (
  {
    args,
    env,
    network = [],
  }: { args: readonly string[]; env: readonly string[]; network?: readonly string[] | undefined },
  { hosts, variables }: { hosts: readonly string[]; variables: Readonly<Record<string, string | undefined>> },
): Reach => {
  const given = [...args, ...env.map((name) => variables[name] ?? "")];
  return { operator: { hosts: [...hosts, ...network], internal: given.flatMap(addressesIn) } };
};

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** The `host:port` of every address of a web server in a text, which may be JSON. */
const addressesIn = (text: string): string[] =>
  [...text.matchAll(/https?:\/\/[^\s"'`<>\\]+/g)].flatMap(([address]) => {
    if (!URL.canParse(address)) return [];
    const { hostname, port, protocol } = new URL(address);
    return [`${hostname}:${port === "" ? DEFAULT_PORTS[protocol] : port}`];
  });
