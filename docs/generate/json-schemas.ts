import { z } from "zod";
import { ConfigFile } from "../../src/config/config.ts";
import { Environment } from "../../src/config/environment.ts";
import { RepositoryFile } from "../../src/config/read-repository-config.ts";

/** The part of JSON Schema that the configuration's schemas come out as. */
export type Schema = {
  type?: string | readonly string[];
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  format?: string;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
};

/** As people write it: what has a default may be left out. */
const written = (schema: z.ZodType, title: string): Schema => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return { $schema, title, ...rest } as Schema;
};

export const configSchema = written(ConfigFile, "uwf: config.yaml");
export const repositorySchema = written(RepositoryFile, "uwf: .github/uwf.yml or .forgejo/uwf.yml");
export const environmentSchema = written(Environment, "uwf: environment variables");
