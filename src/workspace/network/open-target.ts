import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { messageOf } from "../../base/errors.ts";
import { refusedAddress } from "./address-ranges.ts";
import type { AllowList } from "./allow-list.ts";
import type { Target } from "./host-name.ts";
import type { RefusalReason } from "./refusal.ts";
import type { Resolve } from "./resolve.ts";

/** Connects to an address, never to a name. */
export type Dial = (to: { address: string; port: number }) => Promise<Socket>;

export type Opened =
  | { kind: "open"; socket: Socket }
  | { kind: "refused"; reason: RefusalReason }
  | { kind: "unreachable"; problem: string };

export type Ways = { list: AllowList; resolve: Resolve; dial: Dial };

/**
 * Connects to a host that the list has. The name is resolved once: what was looked at is what is connected to, and one address
 * that is not a public host's is enough to refuse them all.
 */
export const openTarget = async (target: Target, { list, resolve, dial }: Ways): Promise<Opened> => {
  const verdict = list.verdict(target);
  if (verdict !== "allowed" && verdict !== "internal") return { kind: "refused", reason: verdict };
  const { host, port } = target;
  let addresses = [host.text];
  if (host.kind === "name") {
    try {
      addresses = await resolve(host.text, verdict === "internal" ? "internal" : "public");
    } catch (error) {
      return { kind: "unreachable", problem: messageOf(error) };
    }
  }
  if (verdict === "allowed" && addresses.some((address) => refusedAddress(address) !== null))
    return { kind: "refused", reason: "private-address" };
  let problem = `${host.text} has no address`;
  for (const address of addresses) {
    try {
      return { kind: "open", socket: await dial({ address, port }) };
    } catch (error) {
      problem = `${host.text} could not be reached (${messageOf(error)})`;
    }
  }
  return { kind: "unreachable", problem };
};

/** Milliseconds for one address. */
const CONNECT_MS = 10_000;

export const dialAddress: Dial = async ({ address, port }) => {
  const socket = connect({ host: address, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_MS) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
};
