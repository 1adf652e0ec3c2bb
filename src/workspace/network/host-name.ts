import { isIPv4, isIPv6 } from "node:net";

/** A host in the one form in which it is compared: a name in lower case without a dot at its end, or an address. */
export type Host = { kind: "name" | "address"; text: string };

export type Target = { host: Host; port: number };

const LONGEST_NAME = 253;
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
/** What URL parsers take for an IPv4 address when a name ends in it (WHATWG URL, "ends in a number"). */
const number = /^(?:\d+|0x[0-9a-f]*)$/;
const authority = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([1-9]\d{0,4}))?$/;

/**
 * Reads a host as it stands in a request. Null for everything that some program would read as another host than it looks:
 * escapes, letters beyond ASCII, numbers that are no plain IPv4 address (octal, hexadecimal, shortened), empty labels.
 */
export const readHost = (text: string): Host | null => {
  if (text.startsWith("[")) return text.endsWith("]") ? ipv6(text.slice(1, -1)) : null;
  const name = text.toLowerCase().replace(/\.$/, "");
  const labels = name.split(".");
  if (name.length > LONGEST_NAME || !labels.every((each) => label.test(each))) return null;
  if (!number.test(labels.at(-1) ?? "")) return { kind: "name", text: name };
  return isIPv4(name) ? { kind: "address", text: name } : null;
};

/** Reads `host` or `host:port`; without a port, `port` is taken. Null as `readHost`. */
export const readTarget = (text: string, port: number | null): Target | null => {
  const [, host, given] = authority.exec(text) ?? [];
  const wanted = given === undefined ? port : Number(given);
  const read = host === undefined ? null : readHost(host);
  return read === null || wanted === null || wanted > 65_535 ? null : { host: read, port: wanted };
};

/** As people write it, and as it is counted. */
export const targetText = ({ host, port }: Target): string =>
  `${host.text.includes(":") ? `[${host.text}]` : host.text}:${port}`;

export const sameHost = (one: Host, other: Host): boolean =>
  one.kind === other.kind && one.text === other.text;

/** Whether programs mean their own machine by it. */
export const isLoopback = ({ text }: Host): boolean => /^(?:localhost|127\.[\d.]+|::1)$/.test(text);

/** The form of RFC 5952, which an address of another spelling has as well. */
const ipv6 = (text: string): Host | null =>
  isIPv6(text) && !text.includes("%")
    ? { kind: "address", text: new URL(`http://[${text}]/`).hostname.slice(1, -1) }
    : null;
