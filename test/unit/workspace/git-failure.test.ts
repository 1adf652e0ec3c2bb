import { describe, expect, it } from "vitest";
import { gitFailure } from "../../../src/workspace/git-failure.ts";

const failure = (stderr: string, { url }: { url: string | undefined } = { url: "https://example.org/x" }) =>
  gitFailure({ args: ["fetch", "--quiet"], exitCode: 128, stderr, url });

describe("gitFailure", () => {
  it.each([
    ["fatal: unable to access 'https://e/': Could not resolve host: e", "repository-unavailable", "retry"],
    [
      "fatal: unable to access 'https://e/': The requested URL returned error: 503",
      "repository-unavailable",
      "retry",
    ],
    [
      "fatal: unable to access 'https://e/': The requested URL returned error: 429",
      "repository-unavailable",
      "retry",
    ],
    ["error: RPC failed; curl 18\nfatal: early EOF", "repository-unavailable", "retry"],
    ["error: RPC failed; HTTP 500\nfatal: expected 'packfile'", "repository-unavailable", "retry"],
    ["error: RPC failed; curl 52 Empty reply\nfatal: index-pack failed", "repository-unavailable", "retry"],
    ["fatal: Authentication failed for 'https://e/'", "repository-denied", "fix-config"],
    [
      "fatal: could not read Username for 'https://e': terminal prompts disabled",
      "repository-denied",
      "fix-config",
    ],
    [
      "fatal: unable to access 'https://e/': The requested URL returned error: 403",
      "repository-denied",
      "fix-config",
    ],
    [
      "git@e: Permission denied (publickey).\nfatal: Could not read from remote repository.",
      "repository-denied",
      "fix-config",
    ],
    ["fatal: detected dubious ownership in repository at '/x'", "repository-denied", "fix-config"],
    [
      "remote: Repository not found.\nfatal: repository 'https://e/' not found",
      "repository-missing",
      "fix-input",
    ],
    ["fatal: '/x' does not appear to be a git repository", "repository-missing", "fix-input"],
    ["fatal: unable to update url base from redirection", "repository-missing", "fix-input"],
    ["fatal: write error: No space left on device", "disk-full", "retry"],
    ["fatal: something new", "git-failed", "retry"],
  ])("reads %j", (stderr, code, remedy) => {
    expect(failure(stderr)).toMatchObject({ code, remedy });
  });

  it("takes the failure of a command without a remote for our own", () => {
    expect(failure("fatal: not a tree object", { url: undefined })).toMatchObject({
      code: "git-failed",
      remedy: "bug",
      message: "git fetch failed with exit code 128: fatal: not a tree object",
    });
  });
});
