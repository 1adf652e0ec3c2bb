import { z } from "zod";
import { namePattern } from "../workflow/definition.ts";
import { DESIGN } from "../workflow/reserved.ts";
import { RepositoryNetwork } from "./network-config.ts";
import { protectedByDefault } from "./protected-paths.ts";

const workflow = z.string().regex(namePattern, "must be the name of a workflow");
const text = z.string().trim().min(1);

/** The prefix of branches stands before `issue-12-…`: a valid start of a git ref, and not empty. */
const branchPrefix = z
  .string()
  .max(30)
  .regex(
    /^(?!refs\/)[A-Za-z0-9][A-Za-z0-9_-]*(\/[A-Za-z0-9][A-Za-z0-9_-]*)*[/-]$/,
    "must be like uwf/ or bot/uwf-",
  );

/** `.github/uwf.yml` or `.forgejo/uwf.yml`, on the default branch: what a repository says about the bot's work in it. */
export const RepositoryConfig = z.strictObject({
  labels: z
    .record(text.max(100), workflow.nullable())
    .default({ uwf: "solve-issue", "uwf:design": DESIGN })
    .describe("Label → the workflow that it starts; null: none."),
  commands: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, "must be a word of a-z, digits and dashes"),
      z.union([workflow, z.literal(false)]),
    )
    .default({})
    .describe(
      "Further commands: word → the workflow that it runs; false: the word is another program's, or a command is not obeyed here.",
    ),
  branchPrefix: branchPrefix.default("uwf/").describe("What the names of the bot's branches begin with."),
  draft: z
    .enum(["until-tests-pass", "always", "never"])
    .default("until-tests-pass")
    .describe("Whether pull requests are drafts."),
  setup: z
    .array(text.max(2_000))
    .max(20)
    .default([])
    .describe(
      "Command lines that make a new workspace ready, run in the sandbox before the first role works.",
    ),
  network: RepositoryNetwork.default([]).describe(
    "Hosts and presets that commands may reach here, such as npm or example.org, as far as the server follows.",
  ),
  instructions: text
    .max(20_000)
    .nullable()
    .default(null)
    .describe("What every role is told besides its own prompt."),
  protectedPaths: z
    .array(text.max(500))
    .max(200)
    .default([...protectedByDefault])
    .describe("Globs of paths that no change may touch; the ones by default are always protected."),
  budgetUsd: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe(
      "The most that one thread may spend here, in US dollars; never more than the server's own limit.",
    ),
  reviewers: z
    .array(text.max(100))
    .max(15)
    .default([])
    .describe("Logins of those asked for a review, besides the requester."),
});
export type RepositoryConfig = z.output<typeof RepositoryConfig>;
