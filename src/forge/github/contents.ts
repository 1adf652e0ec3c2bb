import { inputError } from "../../base/errors.ts";
import { ask, statusOf } from "./github-errors.ts";
import { inside, type Place } from "./place.ts";

export const defaultBranchOf = async (place: Place): Promise<string> => {
  const { data } = await ask(`read ${place.fullName}`, () => place.octokit.rest.repos.get(inside(place)));
  return data.default_branch;
};

/** The text of a file on the default branch; undefined when the path holds no file. */
export const fileOf = async (place: Place, path: string): Promise<string | undefined> => {
  const data = await ask(`read ${path} in ${place.fullName}`, async () => {
    try {
      return (await place.octokit.rest.repos.getContent({ ...inside(place), path })).data;
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  });
  if (data === undefined || Array.isArray(data) || data.type !== "file") return undefined;
  if (!("content" in data) || data.encoding !== "base64")
    throw inputError(
      "forge-file-too-large",
      `${path} in ${place.fullName} is larger than 1 MB`,
      "Make it smaller.",
    );
  return Buffer.from(data.content, "base64").toString("utf8");
};
