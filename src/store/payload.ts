import { z } from "zod";
import type { Json } from "../base/json.ts";
import { Agent } from "./agent-payload.ts";
import { ref } from "./ref.ts";

const json: z.ZodType<Json> = z.json() as z.ZodType<Json>;
const time = z.int().describe("milliseconds since the epoch");

/** What model calls have taken: tokens, those read from the cache among the input, and money. */
export const Usage = z.strictObject({
  inputTokens: z.int().nonnegative(),
  cachedInputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  /** US dollars; null when the model has no configured price. */
  costUsd: z.number().nonnegative().nullable(),
});
export type Usage = z.infer<typeof Usage>;

const ToolCall = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() });

const Turn = z.discriminatedUnion("kind", [
  /** What the engine told the model: the task, a reminder, a note. */
  z.strictObject({ kind: z.literal("message"), prev: ref().nullable(), text: z.string(), at: time }),
  z.strictObject({
    kind: z.literal("reply"),
    prev: ref().nullable(),
    model: z.string(),
    content: z.string(),
    /** What the provider wants back with the next request, verbatim. */
    reasoning: json.nullable(),
    toolCalls: z.array(ToolCall),
    finish: z.enum(["stop", "tool-calls", "length", "filtered"]),
    usage: Usage,
    /** The `workspace` node of the files as a program left them that gave this reply; absent when none was made. */
    workspace: ref().optional(),
    at: time,
    ms: z.int().nonnegative(),
  }),
  z.strictObject({
    kind: z.literal("tool"),
    prev: ref().nullable(),
    callId: z.string(),
    name: z.string(),
    ok: z.boolean(),
    text: z.string(),
    /** Content hashes of files that this call showed to the model, by path. */
    seen: z.record(z.string(), z.string()),
    /** The `workspace` node of the files as this call left them; absent when none was made. */
    workspace: ref().optional(),
    /** What an agent's program has said that it has used, of which this is the run; absent when it said nothing. */
    usage: Usage.optional(),
    at: time,
    ms: z.int().nonnegative(),
  }),
  /** From here the model sees the system prompt, the task, `summary` and the last `kept` turns before this one. */
  z.strictObject({
    kind: z.literal("compaction"),
    prev: ref().nullable(),
    /** Tool results to mask, by call id; the summary is empty when masking was enough. */
    masked: z.array(z.string()),
    summary: z.string(),
    kept: z.int().nonnegative(),
    usage: Usage.nullable(),
    at: time,
  }),
  /** A request to a model that brought no reply, and has used something all the same. */
  z.strictObject({
    kind: z.literal("lost"),
    prev: ref().nullable(),
    reason: z.string(),
    usage: Usage,
    at: time,
    ms: z.int().nonnegative(),
  }),
  /** What an agent keeps of its work so far, as the agent itself reads it: who takes the step up goes on from the newest. */
  z.strictObject({ kind: z.literal("state"), prev: ref().nullable(), state: ref(), at: time }),
  /** How a child thread stood when it stopped. */
  z.strictObject({
    kind: z.literal("child"),
    prev: ref().nullable(),
    childThreadId: z.string(),
    /** The workflow's name. */
    childWorkflow: z.string(),
    /** The child's head then: its whole chain hangs on it. */
    childHash: ref(),
    /** `queued`: it was handed back, and goes on when its parent does. */
    status: z.enum(["queued", "paused", "suspended", "completed", "failed", "cancelled"]),
    reason: z.string().nullable(),
    /** What it has used since the turn like this before. */
    usage: Usage,
    /** The `workspace` node of the files as the child left them. */
    workspace: ref().nullable(),
    at: time,
    ms: z.int().nonnegative(),
  }),
]);
export type Turn = z.infer<typeof Turn>;

/** Of one visit of a role: replies of its model, minutes, US dollars. */
export const RoleLimits = z.strictObject({
  maxTurns: z.int().min(1).max(1000).optional(),
  timeoutMinutes: z.number().positive().max(1440).optional(),
  budgetUsd: z.number().positive().optional(),
});
export type RoleLimits = z.infer<typeof RoleLimits>;

/** One row of the moderator's table. */
const Edge = z.strictObject({
  from: z.string(),
  to: z.string(),
  /** CEL over output, steps, visits, input, trigger; null: always. */
  when: z.string().nullable(),
  /** Liquid over the last output; null: the thread's input is the task. */
  prompt: z.string().nullable(),
  /** An edge out of $START may be for resumed threads only. */
  on: z.enum(["new", "resume"]).nullable(),
});
export type Edge = z.infer<typeof Edge>;

/** What the repository's own configuration says about its threads, pinned when a thread begins. */
export const RepositorySettings = z.strictObject({
  /** Of the branches that are made. */
  branchPrefix: z.string(),
  /** Whether pull requests are drafts. */
  draft: z.enum(["until-tests-pass", "always", "never"]),
  /** Command lines that make a new workspace ready. */
  setup: z.array(z.string()),
  /** Hosts and presets that commands may reach, as far as the server follows. Absent: none. */
  network: z.array(z.string()).optional(),
  /** What every role is told besides its own prompt. */
  instructions: z.string().nullable(),
  /** Globs of paths that no change may touch. */
  protectedPaths: z.array(z.string()),
  /** Logins of those asked for a review, besides the requester. */
  reviewers: z.array(z.string()),
  /** Commands that are not obeyed there. Absent: all are. */
  commandsOff: z.array(z.string()).optional(),
});
export type RepositorySettings = z.infer<typeof RepositorySettings>;

/** Where a thread's work comes from and where its result goes. */
export const Source = z.strictObject({
  forge: z.enum(["github", "forgejo", "local"]),
  /** `owner/name` on a forge, an absolute path or URL for `local`. */
  repository: z.string(),
  defaultBranch: z.string(),
  issue: z.strictObject({ number: z.int().nullable(), title: z.string(), url: z.string().nullable() }),
  requester: z.strictObject({ login: z.string(), id: z.int().nullable() }).nullable(),
  /** The server's operator asked, by its API, and so nobody on the forge. Absent: that did not happen. */
  operator: z.literal(true).optional(),
  installationId: z.int().nullable(),
  /** The forge's own, which a name that changes hands does not keep. Absent: not known. */
  repositoryId: z.int().optional(),
  /** The pull request whose branch is worked on; absent: the work gets a branch and a pull request of its own. */
  pullRequest: z
    .strictObject({
      number: z.int(),
      branch: z.string(),
      /** `owner/name` that has the branch. */
      repository: z.string(),
    })
    .optional(),
});
export type Source = z.infer<typeof Source>;

export const payloads = {
  "role-schema": z.record(z.string(), json),
  role: z.strictObject({
    name: z.string(),
    description: z.string(),
    systemPrompt: z.string(),
    schema: ref(),
    /** null: every built-in tool. */
    tools: z.array(z.string()).nullable(),
    /** A model alias; null: the default. */
    model: z.string().nullable(),
    limits: RoleLimits,
    publish: z.enum(["pull-request", "review"]).nullable(),
    /** A person has to approve what the role answers before the thread goes on; absent: nobody has to. */
    approval: z.literal("required").optional(),
    /** The workflow that plays this role, by name. */
    workflow: z.string().nullable(),
  }),
  agent: Agent,
  workflow: z.strictObject({
    name: z.string(),
    description: z.string(),
    roles: z.record(z.string(), ref()),
    moderator: z.array(Edge),
  }),
  "thread-start": z.strictObject({
    workflow: ref(),
    agents: z.record(z.string(), ref()),
    input: z.string(),
    /** How much was left out of what people wrote because nobody would have seen it, by kind. Absent: nothing. */
    leftOut: z.record(z.string(), z.int().positive()).optional(),
    /** What began it: `label`, `review`, `checks`, or a command's name. Absent: nothing that workflows ask about. */
    trigger: z.string().optional(),
    /** What the command that began it asked for: a model's alias, US dollars, a workflow to edit or copy. Absent: nothing of its own. */
    asked: z
      .strictObject({
        model: z.string().optional(),
        budgetUsd: z.number().positive().optional(),
        edit: z.string().optional(),
        copy: z.string().optional(),
      })
      .optional(),
    /** Absent where no repository's configuration was read. */
    settings: RepositorySettings.optional(),
    depth: z.int().nonnegative(),
    parentThread: z.string().nullable(),
    /** The last step of another thread, whose chain this one goes on from. Absent: it begins by itself. */
    follows: ref().optional(),
    source: Source.nullable(),
    /** The workspace before the first step; null when the thread works on no repository. */
    workspace: ref().nullable(),
    limits: z.strictObject({
      pauseAfterRounds: z.int().positive(),
      budgetUsd: z.number().positive().nullable(),
      budgetTokens: z.int().positive().nullable(),
      /** US dollars that one reply of a model may cost. Absent: no limit but the others. */
      turnUsd: z.number().positive().optional(),
    }),
    createdAt: time,
  }),
  step: z.strictObject({
    start: ref(),
    /** The step before; null for the first after `start`. */
    prev: ref().nullable(),
    role: z.string(),
    agent: ref(),
    task: z.string(),
    output: ref(),
    /** Head of the turn chain. */
    turns: ref().nullable(),
    workspace: ref().nullable(),
    /** Further nodes that the agent produced or consumed. */
    refs: z.array(ref()),
    /** Of a role that a workflow played: its thread, its workflow's name, and that thread's head. Absent: none did. */
    childThreadId: z.string().optional(),
    childWorkflow: z.string().optional(),
    childHash: ref().optional(),
    published: z
      .strictObject({
        branch: z.string(),
        commit: z.string(),
        url: z.string().nullable(),
        title: z.string(),
        body: z.string(),
      })
      .nullable(),
    usage: Usage,
    startedAt: time,
    finishedAt: time,
  }),
  output: z.strictObject({ value: json }),
  turn: Turn,
  workspace: z.strictObject({
    repository: z.string(),
    /** The commit that the thread began with (git object name). */
    base: z.string(),
    /** The tree of the work now (git object name). */
    tree: z.string(),
    files: z.array(
      z.strictObject({
        path: z.string(),
        mode: z.enum(["100644", "100755", "120000"]).nullable(),
        /** null: deleted against `base`. */
        content: ref().nullable(),
      }),
    ),
  }),
  text: z.strictObject({ encoding: z.enum(["utf8", "base64"]), text: z.string() }),
  "thread-end": z.strictObject({
    start: ref(),
    prev: ref().nullable(),
    status: z.enum(["completed", "failed", "cancelled"]),
    reason: z.string().nullable(),
    /** The end that the thread had come to before, when no step was finished since. Absent: none. */
    after: ref().optional(),
    /** Head of the turns of the step that did not finish, and the files as they were. */
    turns: ref().nullable(),
    workspace: ref().nullable(),
    at: time,
  }),
} as const;

export type NodeType = keyof typeof payloads;
export type Payload<T extends NodeType> = z.infer<(typeof payloads)[T]>;
export const nodeTypes = Object.keys(payloads) as NodeType[];
