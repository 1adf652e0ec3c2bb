import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { promisify } from "node:util";

export type VethPair = {
  /** This side's address. */
  hostAddress: string;
  /** From now on whatever either side sends is for nobody. */
  cut(): Promise<void>;
  heal(): Promise<void>;
  remove(): Promise<void>;
};

/** Connects this network namespace with that of the process `pid` by a network of two addresses of its own. */
export const vethPair = async (pid: number): Promise<VethPair> => {
  const { name, network, hostMac, insideMac } = await newPair(pid);
  const [hostAddress, insideAddress] = [`${network}.1`, `${network}.2`];
  // Fixed neighbours: neither side asks who has an address, so no cut is noticed by a question without an answer.
  const neighbours = async (macs: { host: string; inside: string }): Promise<void> => {
    await ip([`neigh replace ${insideAddress} lladdr ${macs.inside} dev ${name} nud permanent`]);
    await ip([`neigh replace ${hostAddress} lladdr ${macs.host} dev eth0 nud permanent`], { inside: pid });
  };
  const heal = () => neighbours({ host: hostMac, inside: insideMac });
  await ip([`addr add ${hostAddress}/30 dev ${name}`, `link set ${name} up`]);
  await ip(["link set lo up", `addr add ${insideAddress}/30 dev eth0`, "link set eth0 up"], { inside: pid });
  await heal();
  return {
    hostAddress,
    cut: () => neighbours({ host: NOBODY, inside: NOBODY }),
    heal,
    remove: () => ip([`link del ${name}`]),
  };
};

/** A locally administered address that no interface has. */
const NOBODY = "02:00:00:00:00:00";

type NewPair = { name: string; network: string; hostMac: string; insideMac: string };

/** The interface's name stands for its network: there is only one of a name, whichever process asks. */
const newPair = async (pid: number): Promise<NewPair> => {
  for (;;) {
    const [a, b] = [randomInt(200, 250), randomInt(0, 256)];
    const name = `uwf-${a}-${b}`;
    const [hostMac, insideMac] = [mac(a, b, 1), mac(a, b, 2)];
    try {
      await ip([
        `link add ${name} address ${hostMac} type veth peer name eth0 address ${insideMac} netns ${pid}`,
      ]);
      return { name, network: `10.${a}.${b}`, hostMac, insideMac };
    } catch (error) {
      if (!String(error).includes("File exists")) throw error;
    }
  }
};

const mac = (...ending: number[]): string =>
  ["02", "75", "77", ...ending.map((byte) => byte.toString(16).padStart(2, "0"))].join(":");

/** Runs commands of ip(8), here or in the network namespace of a process. */
const ip = async (commands: readonly string[], { inside }: { inside?: number } = {}): Promise<void> => {
  const enter = inside === undefined ? [] : ["nsenter", `--net=/proc/${inside}/ns/net`, "--"];
  for (const command of commands) {
    const [program = "", ...args] = [...enter, "ip", ...command.split(" ")];
    await promisify(execFile)(program, args);
  }
};
