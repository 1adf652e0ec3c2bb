import { clientHello, extension, helloOf, serverNames } from "../../../fixtures/client-hellos.ts";
import { PUBLIC } from "../../../fixtures/proxy-bench.ts";

/** What is said to the proxy, piece by piece. */
export type Attempt = { name: string; pieces: readonly (string | Buffer)[] };

/** What commands may reach in all of these: `example.org` and the names below it, on the usual ports. */
export const HOSTS = ["example.org", "*.example.org"];

const get = (target: string, host = "example.org"): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
const connectTo = (target: string): string => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;
const tls = (name: string): Buffer => helloOf([serverNames([0, name])]);

/** Where clouds and clusters keep credentials, and every kind of address that is nobody's web server. */
export const ADDRESSES: Readonly<Record<string, string>> = {
  "AWS, Azure, GCP, DigitalOcean, Oracle": "169.254.169.254",
  "AWS ECS tasks": "169.254.170.2",
  "AWS EKS pod identity": "169.254.170.23",
  "AWS time": "169.254.169.123",
  "AWS over IPv6": "fd00:ec2::254",
  "AWS ECS over IPv6": "fd00:ec2::23",
  "GCP over IPv6": "fd20:ce::254",
  "Azure's platform": "168.63.129.16",
  Alibaba: "100.100.100.200",
  "Oracle's classic": "192.0.0.192",
  "Tencent, OpenStack over IPv6": "fe80::a9fe:a9fe",
  loopback: "127.0.0.1",
  "the end of loopback": "127.255.255.254",
  "this host": "0.0.0.0",
  "Docker's bridge": "172.17.0.1",
  "a Kubernetes service": "10.96.0.1",
  "a home router": "192.168.0.1",
  "a carrier's": "100.64.0.1",
  benchmarks: "198.18.0.1",
  documentation: "203.0.113.1",
  multicast: "224.0.0.251",
  broadcast: "255.255.255.255",
  reserved: "240.0.0.1",
  "loopback over IPv6": "::1",
  "this host over IPv6": "::",
  "mapped loopback": "::ffff:127.0.0.1",
  "mapped metadata": "::ffff:169.254.169.254",
  "compatible loopback": "::127.0.0.1",
  "translated loopback (SIIT)": "::ffff:0:7f00:1",
  "NAT64 of loopback": "64:ff9b::7f00:1",
  "NAT64 of metadata": "64:ff9b::a9fe:a9fe",
  "local NAT64": "64:ff9b:1::a9fe:a9fe",
  "6to4 of loopback": "2002:7f00:1::",
  "6to4 of metadata": "2002:a9fe:a9fe::",
  Teredo: "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  ORCHID: "2001:20::1",
  "documentation over IPv6": "2001:db8::1",
  discard: "100::1",
  ULA: "fc00::1",
  "link-local": "fe80::1",
  "site-local": "fec0::1",
  "multicast over IPv6": "ff02::1",
};

/** Names of the name server, and what they lead to. */
export const namesOf = (): ReadonlyMap<string, readonly string[]> =>
  new Map(Object.values(ADDRESSES).map((address, index) => [`a${index}.example.org`, [address]]));

/** Ways to write this machine, and names that lead to it. */
const LOOPBACKS = [
  ...[
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "0177.0.0.1",
    "0177.0.0.01",
    "0x7f.0.0.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
  ],
  ...[
    "127.0.0.1.",
    "127.000.000.001",
    "0",
    "0.0.0.0",
    "0x0",
    "00000000000000000000000177.0.0.1",
    "127.0.0.01",
  ],
  ...[
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
  ],
  ...["[fe80::1%25lo]", "localhost", "LOCALHOST", "localhost.", "localhost.localdomain", "ip6-localhost"],
  ...[
    "metadata.google.internal",
    "metadata",
    "instance-data",
    "kubernetes.default.svc",
    "host.docker.internal",
  ],
  ...["127.0.0.1.nip.io", "169.254.169.254.sslip.io", "localtest.me", "spoofed.burpcollaborator.net"],
  // As UTF-8, in which programs send them: fullwidth, enclosed, and stops of other scripts.
  ..."１２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ʟᴏᴄᴀʟʜᴏsᴛ".split(" "),
  ...["%31%32%37.0.0.1", "127%2e0%2e0%2e1", "127.0.0.1%00.example.org", "127.0.0.1%2f.example.org"],
];

const asBytes = (text: string): string => Buffer.from(text).toString("latin1");

export const addressForms: readonly Attempt[] = LOOPBACKS.flatMap((host) => [
  { name: `GET ${host}`, pieces: [get(`http://${asBytes(host)}/`, asBytes(host))] },
  { name: `CONNECT ${host}`, pieces: [connectTo(`${asBytes(host)}:443`), tls("example.org")] },
]);

/** Whose host is the one before the @, or after it? (Orange Tsai, "A New Era of SSRF", and what followed it) */
export const confusions: readonly Attempt[] = [
  ...[
    "example.org@127.0.0.1",
    "127.0.0.1@example.org",
    "example.org:80@127.0.0.1:80",
    "example.org%40127.0.0.1",
  ],
  ...[
    "example.org#@127.0.0.1",
    "127.0.0.1#@example.org",
    "127.0.0.1?@example.org",
    "example.org\\@127.0.0.1",
  ],
  ...["127.0.0.1\\.example.org", "127.0.0.1;example.org", "127.0.0.1,example.org", "127.0.0.1&example.org"],
  ...[
    "example.org:80:80",
    "example.org:",
    "example.org:0",
    "example.org:00080",
    "example.org:65616",
    "example.org:+80",
  ],
  ...[
    "example.org:0x50",
    "example.org:-1",
    "example.org:８０",
    "[example.org]",
    "[::1].example.org",
    "[127.0.0.1]",
  ],
  ...[
    "example.org..",
    ".example.org",
    "a..example.org",
    "*.example.org",
    "-.example.org",
    "example.org.evil.test",
  ],
  ...[
    "evil-example.org",
    "notexample.org",
    "example.org.",
    "example.orgevil.test",
    "xn--example-.org",
    "еxample.org",
  ],
  ...[
    "exam\u00adple.org",
    "example\u3002org.evil.test",
    "example.org%09",
    "%65xample.org",
    `${"a".repeat(64)}.example.org`,
  ],
  ...[`${"a.".repeat(122)}example.org`, "", "/", "//127.0.0.1", "@", ":80", "user:password@", "a b"],
]
  // The one that is right but for its last dot is a control elsewhere.
  .filter((authority) => authority !== "example.org.")
  .map((authority) => ({ name: `http://${authority}/`, pieces: [get(`http://${asBytes(authority)}/`)] }));

const SCHEMES = [
  "https",
  "ftp",
  "gopher",
  "file",
  "ws",
  "dict",
  "ldap",
  "jar:http",
  "view-source:http",
  "http:",
];

/** Requests that two programs in a row read in two ways (RFC 9112, section 11.2; "HTTP Desync Attacks"). */
export const requests: readonly Attempt[] = [
  ...SCHEMES.map((scheme) => ({ name: `the scheme ${scheme}`, pieces: [get(`${scheme}://example.org/`)] })),
  ...[
    ["in origin form", get("/latest/meta-data/")],
    ["in origin form with a host inside", get("//127.0.0.1/")],
    ["with an asterisk", "OPTIONS * HTTP/1.1\r\nHost: example.org\r\n\r\n"],
    ["another Host", get("http://example.org/", "127.0.0.1")],
    ["another allowed Host", get("http://example.org/", "other.example.org")],
    ["the Host of another port", get("http://example.org/", "example.org:22")],
    ["two Hosts", "GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\nHost: 127.0.0.1\r\n\r\n"],
    ["a folded Host", "GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n 127.0.0.1\r\n\r\n"],
    ["a Host behind a blank", "GET http://example.org/ HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n"],
    ["no Host", "GET http://example.org/ HTTP/1.1\r\n\r\n"],
    ["an empty Host", "GET http://example.org/ HTTP/1.1\r\nHost:\r\n\r\n"],
    ["a Host with a user", get("http://example.org/", "a@example.org")],
    ["a length and chunks", post("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n")],
    ["chunks and a length", post("Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n")],
    ["two lengths", post("Content-Length: 5\r\nContent-Length: 6", "hello!")],
    ["a length with a sign", post("Content-Length: +5", "hello")],
    ["a length in hexadecimal", post("Content-Length: 0x5", "hello")],
    ["a list of lengths", post("Content-Length: 5, 5", "hello")],
    ["chunks twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "0\r\n\r\n")],
    ["an unknown coding", post("Transfer-Encoding: xchunked", "0\r\n\r\n")],
    ["a coding behind a blank", post("Transfer-Encoding : chunked", "0\r\n\r\n")],
    ["a coding behind a tab", post("Transfer-Encoding:\tchunked, identity", "0\r\n\r\n")],
    ["a coding of two", post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n")],
    ["lines ended by LF", "GET http://example.org/ HTTP/1.1\nHost: 127.0.0.1\n\n"],
    ["a bare CR", "GET http://example.org/ HTTP/1.1\r\nHost: example.org\rX: 127.0.0.1\r\n\r\n"],
    ["a NUL in a header", "GET http://example.org/ HTTP/1.1\r\nHost: example.org\0\r\n\r\n"],
    [
      "a blank in the target",
      "GET http://example.org/ http://127.0.0.1/ HTTP/1.1\r\nHost: example.org\r\n\r\n",
    ],
    [
      "a tab in the target",
      "GET http://example.org/\thttp://127.0.0.1/ HTTP/1.1\r\nHost: example.org\r\n\r\n",
    ],
    ["HTTP/0.9", "GET http://127.0.0.1/\r\n\r\n"],
    ["HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["HTTP/3.0 as a version", "GET http://127.0.0.1/ HTTP/3.0\r\nHost: 127.0.0.1\r\n\r\n"],
    ["TRACE", "TRACE http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n"],
    [
      "a method of WebDAV",
      "MOVE http://example.org/ HTTP/1.1\r\nHost: example.org\r\nDestination: http://127.0.0.1/\r\n\r\n",
    ],
    [
      "a head of 20 KiB",
      `GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
    ],
    ["a line that never ends", `GET http://example.org/${"x".repeat(20_000)}`],
    ["bytes beyond ASCII in the path", get("http://example.org/\xff\xfe")],
    ["a fragment", get("http://example.org/#/127.0.0.1")],
    ["TLS instead of HTTP", tls("127.0.0.1")],
    ["SOCKS 5", Buffer.from([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, 0, 80])],
    ["SOCKS 4", Buffer.from([4, 1, 0, 80, 127, 0, 0, 1, 0])],
    ["the PROXY protocol", `PROXY TCP4 127.0.0.1 127.0.0.1 1 80\r\n${get("http://127.0.0.1/", "127.0.0.1")}`],
    [
      "a second one for another host",
      `${get("http://nobody.test/", "nobody.test")}${get("http://127.0.0.1/", "127.0.0.1")}`,
    ],
  ].map(([name, bytes]) => ({ name: String(name), pieces: [bytes ?? ""] })),
];

function post(headers: string, body: string): string {
  return `POST http://example.org/ HTTP/1.1\r\nHost: example.org\r\n${headers}\r\n\r\n${body}GET http://127.0.0.1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
}

export const connects: readonly Attempt[] = [
  ...[
    0, 1, 21, 22, 23, 25, 53, 110, 111, 143, 389, 445, 465, 587, 1080, 2049, 2375, 2376, 3128, 3306, 4444,
    5432, 5900,
  ],
  ...[6379, 6443, 8080, 8443, 9000, 9200, 10_250, 11_211, 27_017, 50_000, 65_535, 65_536, 65_979],
].map((port) => ({
  name: `CONNECT example.org:${port}`,
  pieces: [connectTo(`example.org:${port}`), tls("example.org")],
}));

/** Tunnels to an allowed host in which something else is said. */
export const tunnels = async (): Promise<Attempt[]> => {
  const name = (host: string): Buffer => serverNames([0, host]);
  const inside: [string, string | Buffer][] = [
    ["TLS for a host that is not allowed", await clientHello("evil.test")],
    ["TLS for another allowed host", await clientHello("other.example.org")],
    ["TLS for no host", await clientHello(null)],
    ["TLS for a name that begins alike", tls("example.org.evil.test")],
    ["TLS for a name with a NUL", tls("example.org\0.evil.test")],
    ["TLS for a name with an address in it", tls("127.0.0.1")],
    ["TLS for a name beyond ASCII", tls("ｅxample.org")],
    ["TLS for two names at once", helloOf([serverNames([0, "example.org"], [0, "evil.test"])])],
    ["TLS with a name of another kind", helloOf([serverNames([1, "example.org"])])],
    ["TLS with two lists of names", helloOf([name("example.org"), name("evil.test")])],
    ["TLS with an empty list of names", helloOf([extension(0, Buffer.from([0, 0]))])],
    [
      "TLS with an encrypted name (ECH)",
      helloOf([name("example.org"), extension(0xfe0d, Buffer.alloc(40, 1))]),
    ],
    ["TLS in records of one byte, for another host", helloOf([name("evil.test")], 1)],
    ["TLS whose lengths lie", Buffer.concat([tls("example.org").subarray(0, 60), Buffer.alloc(60, 0xff)])],
    ["TLS that begins with an alert", Buffer.from([21, 3, 3, 0, 2, 1, 0])],
    ["TLS that begins with data", Buffer.from([23, 3, 3, 0, 2, 1, 0])],
    ["a server's hello", Buffer.from([22, 3, 3, 0, 4, 2, 0, 0, 0])],
    ["SSL 2", Buffer.from([0x80, 0x2e, 0x01, 0x00, 0x02, 0, 0x15, 0, 0, 0, 0x10])],
    ["SSH", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["SMTP", "EHLO example.org\r\nMAIL FROM:<a@example.org>\r\n"],
    ["Redis", "*1\r\n$4\r\nINFO\r\n"],
    ["memcached", "stats\r\n"],
    ["DNS over TCP", Buffer.from([0, 29, 18, 52, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 7])],
    ["PostgreSQL", Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])],
    ["WireGuard", Buffer.from([1, 0, 0, 0, 9, 9, 9, 9])],
    ["another CONNECT", connectTo("127.0.0.1:80")],
    ["a request of another Host", get("/", "127.0.0.1")],
    ["a request of another allowed Host", get("/", "other.example.org")],
    ["a request in absolute form", get("http://127.0.0.1/", "127.0.0.1")],
    [
      "an upgrade to HTTP/2 of another Host",
      get("/", "evil.test").replace("Connection: close", "Connection: Upgrade\r\nUpgrade: h2c"),
    ],
  ];
  return [
    ...inside.map(([what, bytes]) => ({ name: what, pieces: [connectTo("example.org:443"), bytes] })),
    {
      name: "the wrong TLS in the same packet as CONNECT",
      pieces: [Buffer.concat([Buffer.from(connectTo("example.org:443")), tls("evil.test")])],
    },
    {
      name: "the wrong TLS byte by byte",
      pieces: [
        connectTo("example.org:443"),
        ...[...tls("evil.test")].slice(0, 12).map((byte) => Buffer.from([byte])),
        tls("evil.test").subarray(12),
      ],
    },
    ...[
      "user@example.org:443",
      "http://example.org:443",
      "example.org:443/",
      "example.org",
      "example.org:443:443",
      "//example.org:443",
      "",
    ].map((target) => ({ name: `CONNECT ${target}`, pieces: [connectTo(target), tls("example.org")] })),
    {
      name: "CONNECT with another Host",
      pieces: ["CONNECT example.org:443 HTTP/1.1\r\nHost: 127.0.0.1:443\r\n\r\n", tls("example.org")],
    },
  ];
};

/** A name that leads elsewhere each time, or to several places at once. */
export const rebinding: Readonly<Record<string, (asked: number) => readonly string[]>> = {
  "first.example.org": (asked) => (asked === 0 ? [PUBLIC] : ["127.0.0.1"]),
  "then.example.org": (asked) => (asked === 0 ? ["127.0.0.1"] : [PUBLIC]),
  "both.example.org": () => [PUBLIC, "127.0.0.1"],
  "metadata-last.example.org": () => [PUBLIC, PUBLIC, "169.254.169.254"],
  "six.example.org": () => [PUBLIC, "::1"],
  "mapped.example.org": () => [PUBLIC, "::ffff:169.254.169.254"],
  "translated.example.org": () => [PUBLIC, "64:ff9b::7f00:1"],
};
