import { isUtf8 } from "node:buffer";

/** What is kept of a command's output when there is more than `maxBytes` of it: a fifth at the head, the rest at the tail. */
export type OutputBuffer = {
  push(chunk: Buffer): void;
  /** Bytes pushed so far. */
  total(): number;
  /** The text, whole or with a line that counts what was left out between head and tail. */
  text(): { output: string; omittedBytes: number; malformed?: true };
};

export const outputBuffer = (maxBytes: number): OutputBuffer => {
  const headSize = Math.floor(maxBytes / 5);
  const tailSize = Math.max(1, maxBytes - headSize);
  const head: Buffer[] = [];
  let headBytes = 0;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let total = 0;

  const push = (chunk: Buffer): void => {
    total += chunk.length;
    const room = headSize - headBytes;
    if (room > 0) {
      head.push(Buffer.from(chunk.subarray(0, room)));
      headBytes += Math.min(room, chunk.length);
    }
    if (chunk.length <= room) return;
    const rest = chunk.subarray(Math.max(0, room));
    tail.push(Buffer.from(rest));
    tailBytes += rest.length;
    if (tailBytes > 2 * tailSize) {
      tail = [lastBytes(tail, tailSize)];
      tailBytes = tailSize;
    }
  };

  const text = (): ReturnType<OutputBuffer["text"]> => {
    const start = Buffer.concat(head);
    const all = Buffer.concat(tail);
    if (all.length <= tailSize && total <= maxBytes) {
      const whole = Buffer.concat([start, all]);
      return {
        output: whole.toString("utf8"),
        omittedBytes: 0,
        ...(isUtf8(whole) ? {} : { malformed: true }),
      };
    }
    const first = start.subarray(0, endOfWholeCharacters(start));
    const last = all.subarray(Math.max(0, all.length - tailSize));
    const end = last.subarray(startOfWholeCharacters(last));
    const omittedBytes = total - first.length - end.length;
    const note = `\n[… ${omittedBytes} bytes left out …]\n`;
    return { output: first.toString("utf8") + note + end.toString("utf8"), omittedBytes };
  };

  return { push, total: () => total, text };
};

const lastBytes = (chunks: readonly Buffer[], count: number): Buffer => {
  const all = Buffer.concat(chunks);
  return Buffer.from(all.subarray(all.length - count));
};

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where a UTF-8 text must be cut so that no character is broken at its end. */
const endOfWholeCharacters = (bytes: Buffer): number => {
  let start = bytes.length - 1;
  for (let steps = 0; steps < 3 && start > 0 && isContinuation(bytes[start]); steps++) start--;
  const lead = bytes[start];
  if (lead === undefined || lead < 0xc0) return bytes.length;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return start + length > bytes.length ? start : bytes.length;
};

const startOfWholeCharacters = (bytes: Buffer): number => {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return start;
};
