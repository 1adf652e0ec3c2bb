/** Docker's framing of a container's streams: type, three zero bytes, length, bytes; see "Attach to a container" of its API. */
const HEADER = 8;
const STDERR = 2;

export type Streams = { stdout(bytes: Buffer): void; stderr(bytes: Buffer): void };

/** Takes what the engine sends as it comes, however it is cut, and hands each stream's bytes on at once. */
export const demultiplexer = ({ stdout, stderr }: Streams): ((chunk: Buffer) => void) => {
  let header = Buffer.alloc(0);
  let left = 0;
  let hand = stdout;
  return (chunk) => {
    let rest = chunk;
    while (rest.length > 0) {
      if (left === 0) {
        const wanted = HEADER - header.length;
        header = Buffer.concat([header, rest.subarray(0, wanted)]);
        rest = rest.subarray(wanted);
        if (header.length < HEADER) return;
        hand = header[0] === STDERR ? stderr : stdout;
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
        continue;
      }
      const bytes = rest.subarray(0, left);
      left -= bytes.length;
      rest = rest.subarray(bytes.length);
      hand(bytes);
    }
  };
};
