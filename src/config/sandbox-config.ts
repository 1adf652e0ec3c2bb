import { z } from "zod";
import { InternalNetwork, Network } from "./network-config.ts";

const Container = z.strictObject({
  socket: z
    .string()
    .startsWith("/")
    .default("/var/run/docker.sock")
    .describe("The socket of an engine on this machine that speaks Docker's API."),
  image: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("The image that commands run in, which is there already."),
  runtime: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("The engine's runtime, such as `runsc` for gVisor; null: its own."),
});

/** `sandbox` of `config.yaml`. */
export const SandboxConfig = z.strictObject({
  kind: z
    .enum(["bubblewrap", "container", "none"])
    .default("bubblewrap")
    .describe(
      "What commands of roles run in; `none`, as this user, only together with `--unsafe-no-sandbox`: for repositories that you trust.",
    ),
  container: Container.prefault({}).describe("The container engine of the kind `container`."),
  network: Network.default([]).describe(
    'Hosts and presets that every command may reach, through a proxy; `["*"]`: whatever this machine can.',
  ),
  internal: InternalNetwork.default([]).describe(
    "Of this machine or its private network, what every command may reach: `host:port`, exactly.",
  ),
  repositoryNetwork: z
    .enum(["any", "presets", "none"])
    .default("presets")
    .describe(
      "How far the `network` of repositories is followed: all of it, the presets of package registries, or not at all.",
    ),
  readable: z
    .array(z.string().regex(/^(\/[^/]+)+$/, "must be an absolute path without a slash at its end"))
    .default(["/opt"])
    .describe(
      "Directories of this machine that commands may read, besides the system's programs and libraries below `/usr`.",
    ),
  memoryMb: z
    .int()
    .min(64)
    .default(4096)
    .describe(
      "MiB of memory for one command; for each of its processes where no control group can be written.",
    ),
  processes: z.int().min(16).default(512).describe("Processes of one command at once."),
  diskMb: z.int().min(64).default(16_384).describe("MiB that the directories of one thread may have."),
  files: z.int().min(1_000).default(1_000_000).describe("Files that the directories of one thread may have."),
});
