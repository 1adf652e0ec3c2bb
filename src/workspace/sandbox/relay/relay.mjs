// Runs inside a sandbox, where nothing of uwf is but this file: node relay.mjs PLACES PROGRAM ARGUMENT…
// PLACES is JSON: the proxy's socket, the port at which it is there on the sandbox's own loopback, and the hosts of this machine
// that are brought to where they seem to be. What decides is the proxy: the program may do with this process what it likes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

const [places = "", program = "", ...args] = process.argv.slice(2);
/** @type {{ socket: string, port: number, local: { host: string, port: number }[] }} */
const { socket, port, local } = JSON.parse(places);

/** @param {import("node:net").Socket} one @param {import("node:net").Socket} other */
const join = (one, other) => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ]) {
    from?.on("error", () => to?.destroy());
    from?.on("close", () => to?.destroy());
    if (to) from?.pipe(to);
  }
};

/** @param {number} at @param {(client: import("node:net").Socket, proxy: import("node:net").Socket) => void} take */
const listen = (at, take) =>
  once(
    createServer({ allowHalfOpen: true }, (client) =>
      take(client, connect({ path: socket, allowHalfOpen: true })),
    ).listen(at, "127.0.0.1"),
    "listening",
  );

/** @param {string} target @returns {(client: import("node:net").Socket, proxy: import("node:net").Socket) => void} */
const tunnelTo = (target) => (client, proxy) => {
  let head = Buffer.alloc(0);
  /** @param {Buffer} chunk */
  const read = (chunk) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    proxy.off("data", read);
    proxy.pause();
    client.off("close", ended);
    if (!head.toString("latin1").startsWith("HTTP/1.1 200 ")) return void client.end(head);
    proxy.unshift(head.subarray(end + 4));
    join(client, proxy);
  };
  const ended = () => proxy.destroy();
  client.on("error", ended).on("close", ended);
  proxy.on("error", () => client.destroy()).on("data", read);
  proxy.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
};

await Promise.all([
  listen(port, join),
  ...local.map(({ host, port: at }) => listen(at, tunnelTo(`${host}:${at}`))),
]);
const child = spawn(program, args, { stdio: "inherit" });
// As shells report it.
child.on("error", () => process.exit(127));
child.on("exit", (code, signal) =>
  process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
);
