import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { holderText, isDead, processHolder } from "../../../src/base/process-holder.ts";

const linux = process.platform === "linux";
const NO_PID = 4_194_304;

/** This process's name with other parts. */
const holder = ({ boot, namespace, pid }: { boot?: string; namespace?: string; pid?: number }): string => {
  const [where = "", ownPid, ...rest] = processHolder().split(":");
  const [host, ownBoot, ownNamespace] = where.split("/");
  return [[host, boot ?? ownBoot, namespace ?? ownNamespace].join("/"), pid ?? ownPid, ...rest].join(":");
};

describe("isDead", () => {
  it("sees that this process lives, and that one of this machine has ended", () => {
    expect(isDead(holder({}))).toBe(false);
    expect(isDead(holder({ pid: NO_PID }))).toBe(true);
  });

  it.skipIf(!linux)("sees that the process id is another process's by now", () => {
    const [where, pid] = processHolder().split(":");

    expect(isDead(`${where}:${pid}:1:x`)).toBe(true);
  });

  it("knows nothing of containers and machines that have the same host name", () => {
    expect(isDead(holder({ namespace: "1", pid: NO_PID }))).toBe(false);
    expect(isDead(holder({ boot: "another", pid: NO_PID }))).toBe(false);
  });
});

describe("holderText", () => {
  it("names the process and its host, and leaves other texts as they are", () => {
    expect(holderText(processHolder())).toBe(`process ${process.pid} on ${hostname()}`);
    expect(holderText("somebody")).toBe("somebody");
  });
});
