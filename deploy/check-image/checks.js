// Runs the root that check-image.sh has built as docker-compose.yml runs a worker. Each line of the report is something
// that must hold; one that does not ends this with exit code 1.
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runContainer, startContainer, template } from "./container.js";
import { composeService, ociConfiguration } from "./oci-configuration.js";

const { IMAGE_WORK: work, IMAGE_USER, IMAGE_VOLUME: volume, IMAGE_WORKDIR: workdir } = process.env;
const [uid, gid] = IMAGE_USER.split(":").map(Number);
const env = readFileSync(join(work, "environment"), "utf8").trim().split("\n");
const entrypoint = JSON.parse(process.env.IMAGE_ENTRYPOINT);
const health = JSON.parse(process.env.IMAGE_HEALTH);

// A new named volume begins as the image's directory, with its owner and mode.
spawnSync("cp", ["-a", join(work, "final", volume), join(work, "volume")]);

const base = ociConfiguration({
  template: JSON.parse(readFileSync(template(work), "utf8")),
  image: { user: { uid, gid }, env, workdir, volume },
  work,
  service: composeService("worker-1"),
});
const masked = JSON.parse(readFileSync(join(work, "template/config.json"), "utf8")).linux;
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** A model and an App that nobody serves: nothing here asks them. */
const settings = [
  "OPENAI_API_KEY=none",
  "OPENAI_MODEL=none",
  "OPENAI_BASE_URL=http://127.0.0.1:9/v1",
  "GITHUB_APP_ID=1",
  `GITHUB_APP_PRIVATE_KEY=${privateKey.export({ type: "pkcs1", format: "pem" })}`,
  "GITHUB_WEBHOOK_SECRET=none",
  "GHE_HOST=127.0.0.1:9",
];

const running = (args, more = {}) => ({
  ...base,
  ...more,
  process: { ...base.process, args, env: [...base.process.env, ...settings] },
});
const shell = (script) => running(["sh", "-c", script]);
const uwf = (...args) => running([...entrypoint, ...args]);
const SANDBOX = `bwrap --unshare-all --unshare-user --disable-userns --cap-drop ALL --new-session --die-with-parent --uid 1000
  --hostname inside --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev --tmpfs /tmp --`;
const sandboxed = (script, more) => running([...SANDBOX.split(/\s+/), "sh", "-c", script], more);

// What a pod of deploy/kubernetes has: a user namespace, and an empty directory of its group instead of the volume.
const nobodys = { containerID: 0, hostID: 100_000, size: 65_536 };
const emptyDirectory = join(work, "empty");
mkdirSync(emptyDirectory);
chownSync(emptyDirectory, nobodys.hostID, nobodys.hostID + gid);
chmodSync(emptyDirectory, 0o2777);
const pod = uwf("doctor");
const inPod = {
  ...pod,
  process: { ...pod.process, env: [...pod.process.env, `UWF_STORAGE_ROOT=${volume}/root`] },
  mounts: pod.mounts.map((each) =>
    each.destination === volume ? { ...each, source: emptyDirectory } : each,
  ),
  linux: {
    ...pod.linux,
    namespaces: [...pod.linux.namespaces, { type: "user" }],
    uidMappings: [nobodys],
    gidMappings: [nobodys],
  },
};

const { maskedPaths, readonlyPaths } = masked;
const checks = [
  ["the user is not root", shell("id -u"), (it) => it.output === String(uid)],
  ["what it runs does not belong to it", shell(`find /app /usr -user ${uid}`), (it) => it.output === ""],
  ["node is of version 24", shell("node --version"), (it) => it.output.startsWith("v24.")],
  [
    "no development package is there",
    shell("cd /app/node_modules && ls -d node typescript vitest @types @biomejs 2>/dev/null | wc -l"),
    (it) => it.output === "0",
  ],
  ["uwf --help", uwf("--help"), (it) => it.status === 0 && it.output.includes("uwf solve")],
  ["uwf doctor", uwf("doctor"), (it) => it.status === 0 && it.output.includes("bubblewrap works")],
  ["uwf doctor as in a pod", inPod, (it) => it.status === 0 && it.output.includes("bubblewrap works")],
  ["bubblewrap makes a sandbox", sandboxed("id -u; hostname"), (it) => it.output === "1000\ninside"],
  [
    "with the engine's covered parts of /proc it makes none",
    sandboxed("true", { linux: { ...base.linux, maskedPaths, readonlyPaths } }),
    (it) => it.status !== 0 && it.output.includes("mount proc"),
  ],
  [
    "only the volume and /tmp can be written, the volume is nobody else's",
    shell(
      `! touch /app/x 2>/dev/null && ! touch /usr/x 2>/dev/null && touch /tmp/x ${volume}/x && stat -c %a ${volume}`,
    ),
    (it) => it.status === 0 && it.output === "700",
  ],
];

let failures = 0;
const report = (name, it, good) => {
  if (!good) failures += 1;
  process.stdout.write(`${good ? "ok  " : "FAIL"} ${name}\n${it.output.replace(/^(?=.)/gm, "       ")}\n`);
};

for (const [name, configuration, holds] of checks) {
  const it = runContainer(work, configuration);
  report(name, it, holds(it));
}

const container = startContainer(work, uwf(...JSON.parse(process.env.IMAGE_CMD)));
const untilHealthy = async (tries) => {
  const it = container.exec(...health);
  if (it.status === 0 || tries === 0) return it;
  await sleep(500);
  return untilHealthy(tries - 1);
};
const healthy = await untilHealthy(60);
report("it starts as it is, and its HEALTHCHECK holds", healthy, healthy.status === 0);
container.exec("sh", "-c", "(sleep 0.2 &) & wait; sleep 0.5");
const zombies = container.exec("sh", "-c", "cat /proc/[0-9]*/stat 2>/dev/null | grep -c ') Z ' || true");
report("orphans that have ended are collected", zombies, zombies.output === "0");
const stopped = await container.stop();
report("SIGTERM ends it in order", stopped, stopped.status === 0);

process.stdout.write(failures === 0 ? "\nEverything holds.\n" : `\n${failures} do not hold.\n`);
process.exitCode = failures === 0 ? 0 : 1;
