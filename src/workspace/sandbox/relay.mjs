// Runs inside a sandbox, where nothing of uwf is but this file: node relay.mjs PORT SOCKET PROGRAM ARGUMENT…
// Listens on the sandbox's own loopback, brings every connection to the proxy's socket, and runs the program meanwhile.
// What decides is the proxy: the program may do with this process what it likes.
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

const [port, socket, program = "", ...args] = process.argv.slice(2);

const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path: socket ?? "", allowHalfOpen: true });
  for (const [one, other] of [
    [client, proxy],
    [proxy, client],
  ]) {
    one?.on("error", () => other?.destroy());
    one?.on("close", () => other?.destroy());
    if (other) one?.pipe(other);
  }
});

server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  // As shells report it.
  child.on("error", () => process.exit(127));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
});
