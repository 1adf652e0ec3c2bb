import { BlockList, isIP } from "node:net";

type Range = { network: string; prefix: number; name: string };

/**
 * Addresses that are not public hosts, of the IANA registries of special-purpose addresses (RFC 6890, with their later
 * entries) and of multicast. Also those that stand for another address, which a translator on the way would reach.
 */
export const refusedRanges: readonly Range[] = [
  { network: "0.0.0.0", prefix: 8, name: "this network (RFC 791)" },
  { network: "10.0.0.0", prefix: 8, name: "private (RFC 1918)" },
  { network: "100.64.0.0", prefix: 10, name: "shared by carriers (RFC 6598)" },
  { network: "127.0.0.0", prefix: 8, name: "loopback (RFC 1122)" },
  { network: "168.63.129.16", prefix: 32, name: "the platform's services (Azure)" },
  { network: "169.254.0.0", prefix: 16, name: "link-local, metadata services (RFC 3927)" },
  { network: "172.16.0.0", prefix: 12, name: "private (RFC 1918)" },
  { network: "192.0.0.0", prefix: 24, name: "protocol assignments, metadata services (RFC 6890)" },
  { network: "192.0.2.0", prefix: 24, name: "documentation (RFC 5737)" },
  { network: "192.31.196.0", prefix: 24, name: "AS112 (RFC 7535)" },
  { network: "192.52.193.0", prefix: 24, name: "AMT (RFC 7450)" },
  { network: "192.88.99.0", prefix: 24, name: "6to4 relays (RFC 7526)" },
  { network: "192.168.0.0", prefix: 16, name: "private (RFC 1918)" },
  { network: "192.175.48.0", prefix: 24, name: "AS112 (RFC 7534)" },
  { network: "198.18.0.0", prefix: 15, name: "benchmarks (RFC 2544)" },
  { network: "198.51.100.0", prefix: 24, name: "documentation (RFC 5737)" },
  { network: "203.0.113.0", prefix: 24, name: "documentation (RFC 5737)" },
  { network: "224.0.0.0", prefix: 4, name: "multicast (RFC 1112)" },
  { network: "240.0.0.0", prefix: 4, name: "reserved, broadcast (RFC 1112, RFC 919)" },
  {
    network: "2001::",
    prefix: 23,
    name: "protocol assignments, Teredo, ORCHID (RFC 2928, RFC 4380, RFC 7343)",
  },
  { network: "2001:db8::", prefix: 32, name: "documentation (RFC 3849)" },
  { network: "2002::", prefix: 16, name: "6to4 (RFC 3056)" },
  { network: "2620:4f:8000::", prefix: 48, name: "AS112 (RFC 7534)" },
  { network: "3fff::", prefix: 20, name: "documentation (RFC 9637)" },
];

/** Of IPv6 only this is handed out (RFC 4291): not mapped addresses, NAT64, ULA, link-local, site-local, multicast. */
const globalUnicast = listOf({ network: "2000::", prefix: 3 });

const lists = refusedRanges.map((range) => ({ ...range, list: listOf(range) }));

/** Why nothing connects to this address; null when it is one of a public host. Takes an address in any spelling. */
export const refusedAddress = (address: string): string | null => {
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return "no address";
  const type = family === 4 ? "ipv4" : "ipv6";
  if (type === "ipv6" && !globalUnicast.check(address, type)) return "not global unicast (RFC 4291)";
  return (
    lists.find(({ network, list }) => isIP(network) === family && list.check(address, type))?.name ?? null
  );
};

function listOf({ network, prefix }: Pick<Range, "network" | "prefix">): BlockList {
  const list = new BlockList();
  list.addSubnet(network, prefix, isIP(network) === 4 ? "ipv4" : "ipv6");
  return list;
}
