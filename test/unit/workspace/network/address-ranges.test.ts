import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusedAddress, refusedRanges } from "../../../../src/workspace/network/address-ranges.ts";

describe("refusedAddress", () => {
  it.each([
    ...["0.0.0.0", "10.255.255.255", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254"],
    ...["168.63.129.16", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.0.0.192"],
    ...[
      "192.0.2.1",
      "192.88.99.1",
      "192.168.1.1",
      "198.18.0.1",
      "198.19.255.255",
      "198.51.100.7",
      "203.0.113.9",
    ],
    ...["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
    ...[
      "::",
      "::1",
      "::7f00:1",
      "::ffff:127.0.0.1",
      "::ffff:8.8.8.8",
      "64:ff9b::7f00:1",
      "64:ff9b:1::1",
      "100::1",
    ],
    ...["2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:10::1", "2001:20::1", "2001:db8::1"],
    ...[
      "2002:7f00:1::",
      "2002:a9fe:a9fe::1",
      "3fff::1",
      "5f00::1",
      "fc00::1",
      "fd00:ec2::254",
      "fd20:ce::254",
    ],
    ...["fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "4000::1", "no address", "", "127.1"],
  ])("refuses %s", (address) => {
    expect(refusedAddress(address)).not.toBeNull();
  });

  it.each([
    ...[
      "1.1.1.1",
      "8.8.8.8",
      "9.255.255.255",
      "11.0.0.0",
      "100.63.255.255",
      "100.128.0.0",
      "126.255.255.255",
    ],
    ...[
      "128.0.0.0",
      "169.253.255.255",
      "169.255.0.0",
      "172.15.255.255",
      "172.32.0.0",
      "192.0.1.0",
      "192.167.255.255",
    ],
    ...["192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
    ...["2001:200::1", "2001:4860:4860::8888", "2003::1", "2606:4700::1111", "2a00:1450::1"],
  ])("lets %s pass", (address) => {
    expect(refusedAddress(address)).toBeNull();
  });

  it("refuses every address of every range, first and last", () => {
    for (const { network, prefix } of refusedRanges.filter(({ network }) => network.includes("."))) {
      const first = network.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
      fc.assert(
        fc.property(fc.nat(2 ** (32 - prefix) - 1), (offset) => {
          const value = first + offset;
          const address = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
          expect(refusedAddress(address)).not.toBeNull();
        }),
      );
    }
  });

  it("refuses every IPv6 address that carries an IPv4 one, whichever it is", () => {
    const carriers = ["::ffff:", "::", "64:ff9b::", "64:ff9b:1::", "::ffff:0:", "fe80::5efe:"];
    fc.assert(
      fc.property(fc.constantFrom(...carriers), fc.ipV4(), (prefix, address) => {
        expect(refusedAddress(`${prefix}${address}`)).not.toBeNull();
      }),
    );
  });

  it("says the same of every spelling of an address", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
        expect(refusedAddress(address)).toBe(refusedAddress(canonical));
        expect(refusedAddress(address.toUpperCase())).toBe(refusedAddress(canonical));
      }),
    );
  });
});
