import { Readable, type Writable } from "node:stream";

/** Gives a program what it reads. It may end without reading that: that is its own affair. */
export const feed = (stream: Writable | null, given: string | Uint8Array | Readable): void => {
  if (stream === null) return;
  stream.on("error", () => undefined);
  if (given instanceof Readable) given.pipe(stream);
  else stream.end(given);
};
