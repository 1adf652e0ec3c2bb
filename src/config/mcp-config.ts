import { z } from "zod";
import { isOwnVariable } from "./own-variables.ts";

const variable = z
  .string()
  .refine((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name), {
    error: "must be the name of an environment variable, not its value",
  })
  .refine((name) => !isOwnVariable(name), { error: "is uwf's own: no server is given it" });
const names = z.array(z.string().min(1)).min(1);

/** What stands before the names of its tools: an underscore would let two servers mean the same tool. */
export const McpServerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, "must be 1 to 32 small letters, digits or dashes, a letter first");

/** Everywhere, in `roles`. */
export const EVERY = "*";

/** A server of the Model Context Protocol, as `config.yaml` describes it. */
export const McpServerConfig = z
  .strictObject({
    command: z
      .string()
      .min(1)
      .refine((name) => !/[/\\]/.test(name) || name.startsWith("/"), {
        error:
          "must be a name on the search path or an absolute path: a relative one would lead into the repository",
      })
      .optional()
      .describe("The program that is the server, run in the thread's sandbox. Either this or `url`."),
    args: z.array(z.string()).default([]).describe("The program's arguments."),
    env: z
      .array(variable)
      .default([])
      .describe("Variables of the environment or of `.env` that the program gets, by name."),
    url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("The address of a server that speaks over HTTP, which is asked from outside the sandbox."),
    apiKeyEnv: variable
      .optional()
      .describe("The environment variable that holds the key for `url`, sent as a bearer token."),
    tools: names.optional().describe("Of its tools only these, as the server calls them. Default: all."),
    timeoutSeconds: z.int().min(1).max(600).default(120).describe("How long one call of a tool may take."),
    roles: z
      .record(z.string().min(1), names)
      .describe(`Workflow → the roles that have its tools. \`"${EVERY}"\` stands for each.`),
  })
  .superRefine(({ command, url, args, env, apiKeyEnv }, context) => {
    const wrong = (path: string[], message: string): void =>
      context.addIssue({ code: "custom", path, message });
    if (command === undefined && url === undefined) wrong([], "must have a command or a url");
    if (command !== undefined && url !== undefined) wrong(["url"], "must not stand beside a command");
    if (url !== undefined && args.length > 0) wrong(["args"], "belong to a command");
    if (url !== undefined && env.length > 0) wrong(["env"], "belongs to a command: a url has apiKeyEnv");
    if (command !== undefined && apiKeyEnv !== undefined)
      wrong(["apiKeyEnv"], "belongs to a url: a command has env");
    const { username, password } = (url === undefined ? null : URL.parse(url)) ?? {};
    if (username || password) wrong(["url"], "must not hold a password: name it under apiKeyEnv");
  });
export type McpServerConfig = z.output<typeof McpServerConfig>;
