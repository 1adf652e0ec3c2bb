import { describe, expect, it } from "vitest";
import { checkedUrl } from "../../../src/workspace/repository-url.ts";

describe("checkedUrl", () => {
  it.each([
    "/srv/git/x.git",
    "/with space/x",
    "https://github.com/acme/app.git",
    "http://127.0.0.1:3000/acme/app",
    "http://[::1]:3000/acme/app",
    "ssh://git@example.org:2222/acme/app.git",
    "git@example.org:acme/app.git",
    "example.org:acme/app.git",
    "file:///srv/git/x.git",
  ])("accepts %s", (url) => {
    expect(checkedUrl(url)).toBe(url);
  });

  it.each([
    "",
    "relative/path",
    "-oProxyCommand=id",
    "--upload-pack=id",
    "ext::sh -c id",
    "fd::3",
    "git://example.org/x",
    "ftp://example.org/x",
    "https://user:secret@example.org/x",
    "https://token@example.org/x",
    "ssh://-oProxyCommand=id/x",
    "ssh://-x@example.org/y",
    "-x@host:path",
    "host:",
    "https:///x",
    "/a\nb",
    "javascript://x",
  ])("refuses %j", (url) => {
    expect(() => checkedUrl(url)).toThrow(
      expect.objectContaining({ code: "repository-invalid", remedy: "fix-input" }),
    );
  });

  it("does not repeat a password", () => {
    expect(() => checkedUrl("https://user:hunter22@example.org/x")).toThrow(/^(?!.*hunter22)/);
  });
});
