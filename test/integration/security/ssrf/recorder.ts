import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

export type Recorder = {
  port: number;
  /** What has come, whoever sent it. */
  received(): string;
  close(): Promise<void>;
};

/** Answers whatever it is sent as a web server with a secret would. */
export const recorder = async (): Promise<Recorder> => {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      received.push(chunk);
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    received: () => Buffer.concat(received).toString("latin1"),
    close: async () => {
      server.close();
      await once(server, "close");
    },
  };
};
