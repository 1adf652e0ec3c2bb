import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  compose,
  composeService,
  dockerfile,
  manifests,
  podOf,
  repositoryFile,
  unit,
} from "../../fixtures/deployment.ts";

/** What bubblewrap does as an ordinary user that engines refuse by themselves. */
const NEEDED = ["clone", "mount", "pivot_root", "sethostname", "umount2", "unshare"];
const major = /^[a-z]+:\d+(-[a-z-]+)?$/;

it("takes images of one major version", () => {
  const from = dockerfile().filter(({ word }) => word === "FROM");

  expect(from.map(({ rest }) => rest.split(" ")[0])).toEqual([
    "node:24-bookworm-slim",
    "node:24-bookworm-slim",
  ]);
  expect(composeService("redis").image).toMatch(major);
  expect(composeService("postgres").image).toMatch(major);
  expect(Number(composeService("postgres").image.split(":")[1])).toBeGreaterThanOrEqual(15);
});

it("copies only what the build context lets in, and that is there", () => {
  const allowed = [...repositoryFile(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, name = ""]) => name);
  const copied = dockerfile()
    .filter(({ word, rest }) => word === "COPY" && !rest.startsWith("--from"))
    .flatMap(({ rest }) => rest.split(" ").slice(0, -1));

  expect([...copied].sort()).toEqual([...allowed, "package.json"].sort());
  expect(allowed.filter((name) => !existsSync(join(import.meta.dirname, "../../..", name)))).toEqual([]);
});

it("runs the image as a user who is not root, with a first process that collects orphans", () => {
  const last = (wanted: string) => dockerfile().findLast(({ word }) => word === wanted)?.rest;

  expect(last("USER")).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(JSON.parse(last("ENTRYPOINT") ?? "[]")[0]).toBe("/usr/bin/tini");
  expect(podOf("uwf-worker").pod.securityContext.runAsUser).toBe(Number(last("USER")?.split(":")[0]));
});

it("lets bubblewrap make namespaces by a filter that refuses what it does not need", () => {
  const profile = JSON.parse(repositoryFile("deploy/seccomp.json"));
  const refused: string[] = profile.syscalls.flatMap(({ names }: { names: string[] }) => names);

  expect(profile.defaultAction).toBe("SCMP_ACT_ALLOW");
  expect(new Set(profile.syscalls.map(({ action }: { action: string }) => action))).toEqual(
    new Set(["SCMP_ACT_ERRNO"]),
  );
  expect(refused.filter((name) => NEEDED.includes(name))).toEqual([]);
  expect(refused).toEqual(
    expect.arrayContaining(["bpf", "init_module", "io_uring_setup", "keyctl", "perf_event_open"]),
  );
});

it.each(["worker-1", "worker-2"])("opens for %s what bubblewrap needs, and no more", (name) => {
  const service = composeService(name);

  expect(service.security_opt).toEqual([
    "no-new-privileges:true",
    "seccomp=./deploy/seccomp.json",
    "systempaths=unconfined",
    "apparmor=unconfined",
  ]);
  expect(service).toMatchObject({ cap_drop: ["ALL"], read_only: true });
  expect(service.cap_add ?? service.privileged).toBeUndefined();
});

it("leaves the bot, which runs no commands, as the engine has it", () => {
  expect(composeService("bot")).toMatchObject({
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
  });
  expect(podOf("uwf-bot").pod.securityContext.seccompProfile).toEqual({ type: "RuntimeDefault" });
});

it("gives each process a volume of its own, and shows nothing to the network by itself", () => {
  const { services, volumes } = compose();
  const mounted = Object.values(services).flatMap(
    (service) => service.volumes?.map((each) => each.split(":")[0]) ?? [],
  );
  const published = Object.values(services).flatMap(({ ports }) => ports ?? []);

  expect([...mounted].sort()).toEqual(Object.keys(volumes).sort());
  expect(published).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
});

it("lets pods make sandboxes without a capability, in a user namespace", () => {
  const { pod, container } = podOf("uwf-worker");

  expect(pod).toMatchObject({ hostUsers: false, securityContext: { runAsNonRoot: true } });
  expect(container.securityContext).toMatchObject({
    procMount: "Unmasked",
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
  });
  expect(container.securityContext.capabilities.add).toBeUndefined();
});

it("has manifests of no namespace, whose selectors find their pods", () => {
  const all = manifests();
  const deployments = all.filter(({ kind }) => kind === "Deployment");

  expect(all.filter(({ metadata }) => metadata.namespace !== undefined)).toEqual([]);
  expect(deployments).toHaveLength(2);
  for (const { spec } of deployments)
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
});

it("keeps both units alike but for what tells them apart, and open for bubblewrap", () => {
  const [bot, worker] = [unit("uwf.service"), unit("uwf-worker@.service")];
  const differing = [...bot.keys()].filter((key) => bot.get(key)?.join() !== worker.get(key)?.join());

  expect([...worker.keys()]).toEqual([...bot.keys()]);
  expect(differing).toEqual(["Description", "ExecStart", "Environment", "StateDirectory"]);
  expect(Object.fromEntries(worker)).toMatchObject({
    KillMode: ["mixed"],
    NoNewPrivileges: ["yes"],
    CapabilityBoundingSet: [""],
    ProtectKernelTunables: ["no"],
    ProtectHostname: ["no"],
    ProcSubset: ["all"],
    RestrictNamespaces: [expect.stringMatching(/\buser\b.*\bmnt\b.*\bpid\b/)],
  });
  const filter = worker.get("SystemCallFilter")?.[0]?.split(" ") ?? [];
  expect(filter).toEqual(expect.arrayContaining(["@system-service", ...NEEDED.slice(1, 5)]));
});

it("never evicts from Redis, and waits for both before uwf starts", () => {
  expect(composeService("redis").command?.join(" ")).toContain("--maxmemory-policy noeviction");
  for (const name of ["bot", "worker-1", "worker-2"])
    expect(composeService(name).depends_on).toEqual({
      postgres: { condition: "service_healthy" },
      redis: { condition: "service_healthy" },
    });
});
