import { configError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { Forges } from "../forge/forge.ts";
import type { ScratchStore } from "../thread/replay/scratch-store.ts";
import type { Sandbox } from "../workspace/sandbox/sandbox.ts";
import type { Workspaces } from "../workspace/workspace.ts";

/** The workspaces of threads, or of replays, below the storage root. */
export const openWorkspaces = async (
  config: Config,
  { store, log, forges, sandbox }: { store: ScratchStore; log: Log; forges: Forges | null; sandbox: Sandbox },
): Promise<Workspaces> => {
  const { gitWorkspaces } = await import("../workspace/git-workspaces.ts");
  const { proxyNetworks } = await import("../workspace/network/proxy-networks.ts");
  const { repositoryPlace } = await import("../workspace/repository-name.ts");
  const { redactedWorkspaces } = await import("../workspace/redacted-workspaces.ts");
  const workspaces = gitWorkspaces({
    root: config.storageRoot,
    networks: proxyNetworks(config.sandbox, { log }),
    store,
    sandbox,
    log,
    env: process.env,
    remoteFor: async (name) => {
      const { forge, ...place } = repositoryPlace(name);
      if (forge === "local") return { url: place.repository, token: null };
      if (forges === null)
        throw configError(
          "forge-unconfigured",
          `${place.repository} is on ${forge}, for which this process is not set up.`,
          "Run the thread where `uwf start` runs.",
        );
      return (await forges.open({ forge, ...place })).remote("read");
    },
  });
  return redactedWorkspaces(workspaces, config.secrets.redact);
};
