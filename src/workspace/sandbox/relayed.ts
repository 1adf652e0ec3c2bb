import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROXY_PORT, proxyEnvironment } from "../network/proxy-environment.ts";
import type { Mount, SandboxCommand } from "./sandbox.ts";

const RELAY = fileURLToPath(new URL("relay/relay.mjs", import.meta.url));
const INSIDE = "/run/uwf";

/**
 * The command as it is run where the only network is a proxy: below a relay from the sandbox's loopback to the proxy's socket, and
 * told of it by its variables. Any other command as it is.
 */
export const relayed = (command: SandboxCommand): SandboxCommand => {
  if (command.network?.kind !== "proxy") return command;
  const node = realpathSync(process.execPath);
  const { socket, local } = command.network;
  const shown = [socket, RELAY, node];
  const [socketInside = "", relayInside = "", nodeInside = ""] = shown.map(inside);
  const places = { socket: socketInside, port: PROXY_PORT, local };
  return {
    ...command,
    argv: [nodeInside, relayInside, JSON.stringify(places), ...command.argv],
    env: { ...proxyEnvironment, ...command.env },
    mounts: [...command.mounts, ...shown.map(mountOf)],
  };
};

const inside = (path: string, index: number): string => join(INSIDE, String(index), basename(path));

/** The directory of a file, in which nothing else lies that would be worth hiding. */
const mountOf = (path: string, index: number): Mount => ({
  source: dirname(path),
  target: join(INSIDE, String(index)),
  writable: false,
});
