import { AppError, type Remedy } from "../base/errors.ts";

type Kind = { pattern: RegExp; code: string; remedy: Remedy; say: (url: string) => string; hint?: string };

const unavailable = {
  code: "repository-unavailable",
  remedy: "retry",
  say: (url: string) => `${url} cannot be reached`,
} as const;

/** What git (in the C locale), curl and ssh say, and what it means. The first that fits is taken. */
const kinds: readonly Kind[] = [
  {
    pattern: /No space left on device|Disk quota exceeded/i,
    code: "disk-full",
    remedy: "retry",
    say: () => "no space is left where uwf keeps its files",
    hint: "Free some space on the device of the storage root.",
  },
  {
    pattern: /File too large|attempting to allocate|over limit|out of memory/i,
    code: "repository-too-large",
    remedy: "fix-input",
    say: (url) => `${url} has more than is fetched, or an object that takes too much memory`,
  },
  {
    // What a server that fails has sent so far is no sound pack either: it says nothing of the repository.
    pattern:
      /RPC failed|returned error: (429|5\d\d)|Connection (reset|refused|timed out)|Operation too slow/i,
    ...unavailable,
  },
  {
    pattern: /shallow (roots|update|file)|from shallow/i,
    code: "repository-shallow",
    remedy: "fix-input",
    say: (url) => `${url} has only a part of its own history`,
    hint: "Run `git fetch --unshallow` in it.",
  },
  {
    pattern:
      /did not send all necessary|bad object|invalid index-pack|index-pack (failed|died)|pack (has|is|signature|version)|inflate|corrupt|protocol error|bad line length|invalid server response|not valid: is this a git|expected (flush|shallow|packfile|acknowledgments|response|service)|unable to parse|unknown object format|malformed|bad config|invalid gitfile/i,
    code: "repository-damaged",
    remedy: "fix-input",
    say: (url) => `${url} answers something that is no sound repository`,
    hint: "Run `git fsck` in it, and look whether the address is that of a git repository.",
  },
  {
    pattern: /dubious ownership/,
    code: "repository-denied",
    remedy: "fix-config",
    say: (url) => `${url} belongs to another user, and git refuses to serve it`,
    hint: "Run uwf as the user who owns the repository, or change its owner.",
  },
  {
    pattern:
      /Could not resolve host|Failed to connect|Couldn't connect|timed out|early EOF|unexpected disconnect|remote end hung up/i,
    ...unavailable,
  },
  {
    pattern:
      /Authentication failed|could not read Username|terminal prompts disabled|returned error: (401|403)|Permission denied \(|Host key verification failed|Write access to repository not granted/i,
    code: "repository-denied",
    remedy: "fix-config",
    say: (url) => `${url} does not let us in`,
    hint: "Check that the token or key is valid and may read and write this repository.",
  },
  {
    pattern: /unable to update url base|redirect|returned error: 30\d/i,
    code: "repository-missing",
    remedy: "fix-input",
    say: (url) => `${url} answers with a redirection`,
    hint: "Use the address that the repository has now.",
  },
  {
    pattern:
      /not found|does not appear to be a git repository|does not exist|returned error: 404|No such file or directory|not a git repository/i,
    code: "repository-missing",
    remedy: "fix-input",
    say: (url) => `there is no git repository at ${url}`,
    hint: "Check the path or the address, and that the token may see it.",
  },
];

/** The error for a git command that failed. `stderr` holds no secret any more. */
export const gitFailure = ({
  args,
  exitCode,
  stderr,
  url,
}: {
  args: readonly string[];
  exitCode: number;
  stderr: string;
  url: string | undefined;
}): AppError => {
  const details = detailsOf(stderr);
  const kind = kinds.find(
    (each) => each.pattern.test(stderr) && (url !== undefined || each.code === "disk-full"),
  );
  if (kind !== undefined)
    return new AppError(`${kind.say(url ?? "")} (${details})`, {
      code: kind.code,
      remedy: kind.remedy,
      ...(kind.hint === undefined ? {} : { hint: kind.hint }),
    });
  return new AppError(`git ${args[0]} failed with exit code ${exitCode}: ${details}`, {
    code: "git-failed",
    remedy: url === undefined ? "bug" : "retry",
  });
};

/** The lines that say something, on one. */
export const detailsOf = (stderr: string): string => {
  const lines = stderr.split("\n").map((line) => line.trim());
  const telling = lines.filter((line) => /^(fatal|error|remote|ssh|!)/.test(line));
  return (telling.length > 0 ? telling : lines.filter((line) => line !== ""))
    .slice(-4)
    .join("; ")
    .slice(0, 600);
};
