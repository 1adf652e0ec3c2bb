import { z } from "zod";
import { inputError } from "../../base/errors.ts";
import { statusOf } from "./forgejo-errors.ts";
import type { Place } from "./place.ts";

const Repository = z.object({ default_branch: z.string().min(1) });

const File = z.object({
  type: z.string(),
  content: z.string().nullish(),
  encoding: z.string().nullish(),
});

export const defaultBranchOf = async ({ client, root, fullName }: Place): Promise<string> =>
  (await client.read({ what: `read ${fullName}`, path: root }, Repository)).default_branch;

/** The text of a file on the default branch; undefined when the path holds no file. */
export const fileOf = async (
  { client, root, fullName }: Place,
  path: string,
): Promise<string | undefined> => {
  const request = { what: `read ${path} in ${fullName}`, path: [...root, "contents", ...path.split("/")] };
  let entry: z.output<typeof File> | unknown[];
  try {
    entry = await client.read(request, z.union([File, z.array(z.unknown())]));
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
  if (Array.isArray(entry) || entry.type !== "file") return undefined;
  if (entry.content == null || entry.encoding !== "base64")
    throw inputError(
      "forge-file-too-large",
      `${path} in ${fullName} is larger than Forgejo's API tells`,
      "Make it smaller.",
    );
  return Buffer.from(entry.content, "base64").toString("utf8");
};
