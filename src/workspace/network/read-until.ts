import type { Duplex } from "node:stream";

/** Reads a stream until `judge` says what its bytes are, and leaves it paused; null when it ends before, or takes too long. */
export const readUntil = <T>(
  stream: Duplex,
  { head, ms, judge }: { head: Buffer; ms: number; judge: (bytes: Buffer) => T | null },
): Promise<{ found: T; bytes: Buffer } | null> =>
  new Promise((resolve) => {
    let bytes = head;
    const end = (found: T | null): void => {
      clearTimeout(timer);
      stream.off("data", more).off("end", ended).off("close", ended);
      stream.pause();
      resolve(found === null ? null : { found, bytes });
    };
    const look = (): void => {
      const found = judge(bytes);
      if (found !== null) end(found);
    };
    const more = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      look();
    };
    const ended = (): void => end(null);
    const timer = setTimeout(ended, ms);
    stream.on("data", more).once("end", ended).once("close", ended);
    stream.resume();
    look();
  });
