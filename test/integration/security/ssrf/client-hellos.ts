import { once } from "node:events";
import { type AddressInfo, connect as connectTcp, createServer } from "node:net";
import { connect } from "node:tls";

/** The first bytes of a real TLS client that asks for this name; null: for none. */
export const clientHello = async (servername: string | null): Promise<Buffer> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect({
    socket: connectTcp(port, "127.0.0.1"),
    ...(servername === null ? {} : { servername }),
  });
  client.on("error", () => undefined);
  const [socket] = await once(server, "connection");
  const [bytes] = await once(socket, "data");
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
};

const vector = (size: 1 | 2, bytes: Buffer): Buffer => {
  const head = Buffer.alloc(size);
  head.writeUIntBE(bytes.length, 0, size);
  return Buffer.concat([head, bytes]);
};

export const extension = (type: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type >> 8, type & 0xff]), vector(2, body)]);

/** The extension `server_name` (RFC 6066) with these names, each of a kind. */
export const serverNames = (...names: readonly [kind: number, name: string][]): Buffer =>
  extension(
    0,
    vector(
      2,
      Buffer.concat(
        names.map(([kind, name]) => Buffer.concat([Buffer.from([kind]), vector(2, Buffer.from(name))])),
      ),
    ),
  );

/** A ClientHello with these extensions and no other, in records of so many bytes. */
export const helloOf = (extensions: readonly Buffer[], recordBytes = 16_384): Buffer => {
  const body = Buffer.concat([
    ...[Buffer.from([3, 3]), Buffer.alloc(32, 7), vector(1, Buffer.alloc(0))],
    ...[vector(2, Buffer.from([0x13, 0x01])), vector(1, Buffer.from([0]))],
    vector(2, Buffer.concat(extensions)),
  ]);
  const message = Buffer.concat([Buffer.from([1, 0]), vector(2, body)]);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += recordBytes)
    records.push(Buffer.concat([Buffer.from([22, 3, 1]), vector(2, message.subarray(at, at + recordBytes))]));
  return Buffer.concat(records);
};
