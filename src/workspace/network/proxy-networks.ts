import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../base/log.ts";
import { allowList, type RepositoryNetwork } from "./allow-list.ts";
import type { ProxyLimits } from "./door.ts";
import type { Networks } from "./network.ts";
import { type Dial, dialAddress } from "./open-target.ts";
import { openProxy } from "./proxy.ts";
import { dnsResolve, type Resolve } from "./resolve.ts";

export type NetworkConfig = {
  /** What every command may reach; `["*"]`: whatever this machine can. */
  network: readonly string[];
  /** What every command may reach also where it is private. */
  internal: readonly string[];
  repositoryNetwork: RepositoryNetwork;
};

type Parts = { log: Log; resolve?: Resolve; dial?: Dial; limits?: Partial<ProxyLimits> };

/** Inside, whoever may connect to the socket is the command's own user; outside, only who may enter the directory. */
const SOCKET = "proxy";

/**
 * Networks that are a proxy per command, with its thread's list: it is there for as long as the command runs, and the command
 * reaches nothing else. A command with an empty list gets no network at all.
 */
export const proxyNetworks = (
  { network, internal, repositoryNetwork }: NetworkConfig,
  { log, resolve = dnsResolve(), dial = dialAddress, limits = {} }: Parts,
): Networks => ({
  open: (directory, thread) => ({
    during: async (reach, work) => {
      if ([...network, ...(reach.operator?.hosts ?? [])].includes("*"))
        return { result: await work({ kind: "host" }), refused: [] };
      const list = allowList({
        operator: [{ hosts: network, internal }, ...(reach.operator === undefined ? [] : [reach.operator])],
        repository: [...thread.repository, ...(reach.repository ?? [])],
        repositoryNetwork,
      });
      if (list.isEmpty) return { result: await work({ kind: "none" }), refused: [] };
      const local = list.local.map(({ host, port }) => ({ host: host.text, port }));
      await mkdir(directory, { recursive: true });
      const own = await mkdtemp(join(directory, "command-"));
      await chmod(own, 0o755);
      const proxy = await openProxy(join(own, SOCKET), { list, resolve, dial, limits, log });
      try {
        const result = await work({ kind: "proxy", socket: join(own, SOCKET), local });
        return { result, refused: proxy.refused() };
      } finally {
        await proxy.close();
        await rm(own, { recursive: true, force: true });
        if (proxy.refused().length > 0) await thread.onRefused(proxy.refused());
      }
    },
  }),
});
