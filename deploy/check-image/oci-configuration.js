// What a container engine makes of the image and of a service in docker-compose.yml: the configuration that runc reads.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const repository = join(import.meta.dirname, "../..");
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const KNOWN = new Set(["no-new-privileges", "seccomp", "systempaths", "apparmor"]);

/** `template`: what `runc spec` prints, which has the masked paths that engines use. */
export const ociConfiguration = ({ template, image, work, service }) => {
  const options = securityOptions(service);
  const process = {
    terminal: false,
    user: image.user,
    env: [`PATH=${PATH}`, "HOME=/var/lib/uwf", ...image.env],
    cwd: image.workdir,
    capabilities: { bounding: [], effective: [], permitted: [], ambient: [] },
    noNewPrivileges: options.get("no-new-privileges") === "true",
  };
  const mounts = [
    ...template.mounts.filter(({ type }) => type !== "cgroup"),
    ...service.tmpfs.map((destination) => tmpfs(destination)),
    { destination: image.volume, type: "bind", source: join(work, "volume"), options: ["bind", "rw"] },
  ];
  const unmasked = options.get("systempaths") === "unconfined" ? { maskedPaths: [], readonlyPaths: [] } : {};
  const seccomp = JSON.parse(readFileSync(join(repository, options.get("seccomp")), "utf8"));
  return {
    ...template,
    process: { ...template.process, ...process },
    root: { path: join(work, "final"), readonly: service.read_only === true },
    hostname: "check",
    mounts,
    linux: { ...template.linux, resources: {}, ...unmasked, seccomp },
  };
};

export const composeService = (name) => {
  const text = readFileSync(join(repository, "docker-compose.yml"), "utf8");
  const service = parse(text, { merge: true }).services[name];
  if (service.cap_drop.join() !== "ALL") throw new Error(`${name}: cap_drop is not ALL`);
  return service;
};

const securityOptions = ({ security_opt }) => {
  const options = new Map(security_opt.map((option) => option.split(/[=:]/)));
  for (const name of options.keys())
    if (!KNOWN.has(name)) throw new Error(`security_opt: ${name} is not known here`);
  return options;
};

const tmpfs = (destination) => ({
  destination,
  type: "tmpfs",
  source: "tmpfs",
  options: ["nosuid", "nodev", "noexec", "mode=1777"],
});
