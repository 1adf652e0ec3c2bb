import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";

/** The addresses of a name, by how often it was asked for before; undefined: there is no such name. */
export type Answer = (name: string, asked: number) => readonly string[] | undefined;

export type DnsServer = {
  /** As resolvers take it. */
  address: string;
  /** Names and kinds, in order. */
  questions: string[];
  close(): Promise<void>;
};

const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 3;

/** A name server over UDP whose answers may change from question to question, and count for no time at all. */
export const dnsServer = async (answer: Answer): Promise<DnsServer> => {
  const socket = createSocket("udp4");
  const questions: string[] = [];
  socket.on("message", (query, from) => {
    const { name, type, end } = questionIn(query);
    const kind = type === AAAA ? "AAAA" : type === A ? "A" : String(type);
    const asked = questions.filter((each) => each === `${name} ${kind}`).length;
    questions.push(`${name} ${kind}`);
    const all = answer(name, asked);
    const fitting = (all ?? []).filter((address) => isIPv6(address) === (type === AAAA));
    socket.send(
      replyTo(query.subarray(0, end), { type, addresses: fitting, exists: all !== undefined }),
      from.port,
      from.address,
    );
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
};

/** The first question of a message (RFC 1035, section 4.1.2). */
const questionIn = (query: Buffer): { name: string; type: number; end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
};

const replyTo = (
  query: Buffer,
  { type, addresses, exists }: { type: number; addresses: readonly string[]; exists: boolean },
): Buffer => {
  const head = Buffer.from(query);
  head.writeUInt16BE(0x8580 | (exists ? 0 : NO_SUCH_NAME), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const data = bytesOf(address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
};

const bytesOf = (address: string): Buffer => {
  if (!isIPv6(address)) return Buffer.from(address.split(".").map(Number));
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const [front = [], back = []] = groups.map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0");
  const words = [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16));
  return Buffer.from(words.flatMap((word) => [word >> 8, word & 0xff]));
};
