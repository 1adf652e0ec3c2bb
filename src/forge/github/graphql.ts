import { z } from "zod";
import { AppError, bugError } from "../../base/errors.ts";
import { githubError } from "./github-errors.ts";
import type { Place } from "./place.ts";

/** What Octokit throws when an answer, whose HTTP status is 200, holds errors. */
const GraphqlFailure = z.object({
  name: z.literal("GraphqlResponseError"),
  message: z.string(),
  errors: z
    .array(z.object({ type: z.string().optional(), extensions: z.object({ code: z.string() }).optional() }))
    .min(1),
  headers: z.record(z.string(), z.unknown()),
});

/** GitHub's kinds of errors as the HTTP statuses that its REST API has for them. */
const STATUSES: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
};

/** Of what has no kind: the query is not this server's, or the server had a bad moment. */
const statusOfKind = ({ type, extensions }: z.output<typeof GraphqlFailure>["errors"][number]): number => {
  if (type !== undefined) return STATUSES[type] ?? 502;
  return extensions === undefined ? 502 : 400;
};

type Question<Schema extends z.ZodType> = {
  /** Completes "GitHub could not …". */
  what: string;
  query: string;
  variables: Readonly<Record<string, unknown>>;
  schema: Schema;
};

/** Asks GitHub's GraphQL API; of the answer what the schema keeps. Throws as the REST calls do. */
export const askGraphql = async <Schema extends z.ZodType>(
  { octokit }: Place,
  { what, query, variables, schema }: Question<Schema>,
): Promise<z.output<Schema>> => {
  let data: unknown;
  try {
    data = await octokit.graphql(query, { ...variables });
  } catch (error) {
    throw githubError(asRequestFailure(error), what);
  }
  const answer = schema.safeParse(data);
  if (answer.success) return answer.data;
  throw bugError(`GitHub: could not ${what}: its answer is not what was asked for`, answer.error);
};

const asRequestFailure = (error: unknown): unknown => {
  const { data: failure } = GraphqlFailure.safeParse(error);
  const [first] = failure?.errors ?? [];
  if (failure === undefined || first === undefined) return error;
  const status = statusOfKind(first);
  return Object.assign(new Error(failure.message, { cause: error }), {
    status,
    response: { headers: failure.headers },
  });
};

/** True when GitHub will not do it, however often it is asked. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && ["forge-denied", "forge-missing", "forge-refused"].includes(error.code);
