import { connect } from "node:net";
import { describe, expect, it, type TestContext } from "vitest";
import { type ProxyBench, PUBLIC, proxyBench, say, toProxy } from "../../fixtures/proxy-bench.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";
import {
  ADDRESSES,
  type Attempt,
  addressForms,
  confusions,
  connects,
  HOSTS,
  namesOf,
  rebinding,
  requests,
  tunnels,
} from "./ssrf/attempts.ts";
import { naiveProxy } from "./ssrf/naive-proxy.ts";
import { type Recorder, recorder } from "./ssrf/recorder.ts";

/** A name server that knows the names of attempts; whatever else is asked for leads to this machine. */
const answer = (name: string, asked: number): readonly string[] => {
  if (name === "example.org" || name === "other.example.org") return [PUBLIC];
  return rebinding[name]?.(asked) ?? namesOf().get(name) ?? ["127.0.0.1"];
};

type Tried = { answer: string; bench: ProxyBench; server: Recorder };

/** Whatever is dialled comes to a server with a secret: it is held when that hears nothing. */
const trying = async <T>(work: (tried: Omit<Tried, "answer">) => Promise<T>): Promise<T> => {
  const server = await recorder();
  const bench = await proxyBench({ answer, network: HOSTS, leadsTo: () => server.port });
  try {
    return await work({ bench, server });
  } finally {
    await bench.close();
    await server.close();
  }
};

const held = (
  attempt: Attempt,
): Promise<{ name: string; heard: string; answered: string; refused: number }> =>
  trying(async ({ bench, server }) => {
    const said = await bench.during((network) => say(toProxy(network), attempt.pieces));
    const answered = said.replace("HTTP/1.1 200 Connection established\r\n\r\n", "");
    return {
      name: attempt.name,
      heard: server.received(),
      answered: /^HTTP\/1\.1 2/.test(answered) ? answered : "refused",
      refused: bench.refused.length,
    };
  });

const getsThroughANaiveProxy = (attempt: Attempt): Promise<boolean> =>
  trying(async ({ bench, server }) => {
    const proxy = await naiveProxy({ resolve: (name) => bench.resolve(name, "public"), dial: bench.dial });
    await say(connect(proxy.port, "127.0.0.1"), attempt.pieces, { patienceMs: 1_000 });
    await proxy.close();
    return server.received() !== "";
  });

const AT_ONCE = 16;

const each = async <T>(
  attempts: readonly Attempt[],
  work: (attempt: Attempt) => Promise<T>,
): Promise<T[]> => {
  const results: T[] = [];
  for (let at = 0; at < attempts.length; at += AT_ONCE)
    results.push(...(await Promise.all(attempts.slice(at, at + AT_ONCE).map(work))));
  return results;
};

const holdsAll = async (context: TestContext, kind: string, attempts: readonly Attempt[]): Promise<void> => {
  countAttempts(context, `network: ${kind}`, attempts.length);
  const results = await each(attempts, held);
  expect(results).toEqual(
    attempts.map(({ name }) => ({ name, heard: "", answered: "refused", refused: expect.any(Number) })),
  );
};

const toAddresses: readonly Attempt[] = Object.keys(ADDRESSES).flatMap((what, index) => [
  {
    name: `GET, ${what}`,
    pieces: [`GET http://a${index}.example.org/ HTTP/1.1\r\nHost: a${index}.example.org\r\n\r\n`],
  },
  {
    name: `CONNECT, ${what}`,
    pieces: [`CONNECT a${index}.example.org:443 HTTP/1.1\r\n\r\n`, "GET / HTTP/1.1\r\n\r\n"],
  },
]);

describe("what a command says to the proxy leads nowhere but to the hosts that it may reach", () => {
  it("by names that lead to private addresses and metadata services", (context) =>
    holdsAll(context, "addresses", toAddresses));
  it("by other ways to write this machine", (context) => holdsAll(context, "address forms", addressForms));
  it("by addresses that parsers understand in different ways", (context) =>
    holdsAll(context, "confused parsers", confusions));
  it("by requests that two programs understand in two ways", (context) =>
    holdsAll(context, "requests", requests));
  it("by tunnels to other ports", (context) => holdsAll(context, "ports", connects));
  it("by what is said inside a tunnel", async (context) => holdsAll(context, "tunnels", await tunnels()));

  it("by names whose addresses change, or are of several kinds", async (context) => {
    countAttempts(context, "network: rebinding", 2 * Object.keys(rebinding).length);
    for (const name of Object.keys(rebinding)) {
      await trying(async ({ bench }) => {
        const get = `GET http://${name}/ HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`;
        const ask = (): Promise<string> => bench.during((network) => say(toProxy(network), [get]));
        await ask();
        await ask();

        expect({ name, dialled: new Set(bench.dialled) }).toEqual({
          name,
          dialled: new Set(["first.example.org", "then.example.org"].includes(name) ? [`${PUBLIC}:80`] : []),
        });
        expect(bench.refused.every(({ reason }) => reason === "private-address")).toBe(true);
        expect(bench.refused).not.toEqual([]);
      });
    }
  });

  it("asks for a name once for each connection: what it has looked at is what it connects to", () =>
    trying(async ({ bench }) => {
      await bench.during((network) =>
        say(toProxy(network), ["GET http://first.example.org/ HTTP/1.1\r\nHost: first.example.org\r\n\r\n"]),
      );

      expect(bench.questions.toSorted()).toEqual(["first.example.org A", "first.example.org AAAA"]);
      expect(bench.dialled).toEqual([`${PUBLIC}:80`]);
    }));
});

it("lets a proxy without these checks be led astray by most of it", async () => {
  const all = [
    ...toAddresses,
    ...addressForms,
    ...confusions,
    ...requests,
    ...connects,
    ...(await tunnels()),
  ];

  const through = (await each(all, getsThroughANaiveProxy)).filter((got) => got);

  expect(through.length).toBeGreaterThan(150);
});
