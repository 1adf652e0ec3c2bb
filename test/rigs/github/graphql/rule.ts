import { readFile } from "node:fs/promises";
import { type GraphQLError, type GraphQLSchema, graphql } from "graphql";
import { at } from "../api.ts";
import { json, parsed } from "../http.ts";
import type { Reviews } from "../reviews/reviews.ts";
import type { Rule } from "../rule.ts";
import { tokenOf } from "../tokens.ts";
import { graphqlRoot } from "./root.ts";

/** GitHub's own schema checks and runs the queries: what it does not know fails here too. */
export const graphqlRule = (reviews: Reviews): Rule => ({
  method: "POST",
  path: /^\/(?:api\/)?graphql$/,
  answer: async (context) => {
    if (tokenOf(context.request) === null)
      return json(401, { message: "This endpoint requires you to be authenticated." });
    const asked = parsed(context.request);
    const variables = at(asked, "variables");
    const { data, errors } = await graphql({
      schema: await githubSchema(),
      source: String(at(asked, "query")),
      rootValue: graphqlRoot(context, reviews),
      variableValues: typeof variables === "object" ? (variables as Record<string, unknown>) : null,
    });
    return json(200, {
      ...(data === undefined ? {} : { data }),
      ...(errors ? { errors: errors.map(shown) } : {}),
    });
  },
});

let known: Promise<GraphQLSchema> | undefined;

const githubSchema = (): Promise<GraphQLSchema> => {
  known ??= readSchema();
  return known;
};

const readSchema = async (): Promise<GraphQLSchema> => {
  const { buildSchema } = await import("graphql");
  const file = new URL("schema.graphql", import.meta.resolve("@octokit/graphql-schema"));
  return buildSchema(await readFile(file, "utf8"), { assumeValidSDL: true });
};

/** GitHub says the kind of an error beside its message. */
const shown = ({ message, path, locations, extensions }: GraphQLError): object => ({
  ...(extensions.type === undefined ? { extensions: { code: "undefinedField" } } : { type: extensions.type }),
  message,
  path,
  locations,
});
