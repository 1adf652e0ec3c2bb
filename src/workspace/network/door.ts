import { Transform } from "node:stream";
import { type Target, targetText } from "./host-name.ts";
import { type Opened, openTarget, type Ways } from "./open-target.ts";
import { addRefusals, type Refusal, type RefusalReason, refusalText } from "./refusal.ts";

export type ProxyLimits = {
  /** Connections to the proxy at once. */
  connections: number;
  /** Bytes of a request's head. */
  headBytes: number;
  /** Milliseconds for a request's head, and for the first bytes in a tunnel. */
  headMs: number;
  /** Milliseconds in which nothing comes or goes: models think for minutes. */
  idleMs: number;
  /** Both ways together. */
  bytes: number;
};

export const proxyLimits: ProxyLimits = {
  connections: 256,
  headBytes: 16 * 1024,
  headMs: 10_000,
  idleMs: 15 * 60_000,
  bytes: 16 * 1024 ** 3,
};

/** What all connections of one proxy share: whom they may reach, what they have used, and what was refused. */
export type Door = {
  limits: ProxyLimits;
  open(target: Target): Promise<Opened>;
  /** Counts it, and answers what the one who asked is told. */
  refuse(target: string, reason: RefusalReason): string;
  refused(): readonly Refusal[];
  /** Hands on what it is given as long as all together is not too much. */
  meter(target: Target): Transform;
};

export const makeDoor = (ways: Ways, limits: ProxyLimits): Door => {
  let refused: readonly Refusal[] = [];
  let bytes = 0;
  const refuse = (target: string, reason: RefusalReason): string => {
    refused = addRefusals(refused, [{ target, reason, count: 1 }]);
    return `uwf's proxy: ${refusalText({ target, reason })}.${HINTS[reason] ?? ""}\n`;
  };
  return {
    limits,
    open: (target) => openTarget(target, ways),
    refuse,
    refused: () => refused,
    meter: (target) =>
      new Transform({
        transform: (chunk: Buffer, _, done) => {
          const before = bytes;
          bytes += chunk.length;
          if (bytes <= limits.bytes) return done(null, chunk);
          if (before <= limits.bytes) refuse(targetText(target), "too-much");
          done(new Error("more than may be sent and received"));
        },
      }),
  };
};

const HINTS: Partial<Record<RefusalReason, string>> = {
  "not-allowed":
    " Commands reach what `network` in the repository's .github/uwf.yml and the server's configuration name.",
};
