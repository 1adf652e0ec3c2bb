import { AppError, messageOf } from "../../base/errors.ts";
import { ask, statusOf } from "./github-errors.ts";
import { inside, type Place } from "./place.ts";

const MAX_CHARS = 200_000;
/**
 * The end of what a job of GitHub Actions wrote; null where GitHub gives it not. A job has the id of its check. GitHub sends the
 * client on to another host, to which it takes no token.
 */
export const jobLog = async (place: Place, job: number): Promise<string | null> => {
  const what = `read the log of job ${job} in ${place.fullName}`;
  const body = await open(place, { job, what });
  if (body === null) return null;
  try {
    return await endOf(body);
  } catch (error) {
    throw new AppError(`GitHub: could not ${what}: ${messageOf(error)}`, {
      ...{ code: "forge-unavailable", remedy: "retry", cause: error },
    });
  }
};

const open = async (
  place: Place,
  { job, what }: { job: number; what: string },
): Promise<ReadableStream<Uint8Array> | null> => {
  const request = { ...inside(place), job_id: job, request: { parseSuccessResponseBody: false } };
  try {
    const { data } = await ask(what, () => place.octokit.rest.actions.downloadJobLogsForWorkflowRun(request));
    return data instanceof ReadableStream ? data : null;
  } catch (error) {
    if (isNotToBeHad(error)) return null;
    throw error;
  }
};

/** Not permitted, never there, or kept no longer. */
const isNotToBeHad = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === "forge-missing" || (error.code === "forge-denied" && statusOf(error.cause) === 403));

/** Logs can be far larger than what is wanted of them. */
const endOf = async (body: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  let end = "";
  for await (const chunk of body) {
    end += decoder.decode(chunk, { stream: true });
    if (end.length > 2 * MAX_CHARS) end = end.slice(-MAX_CHARS);
  }
  return (end + decoder.decode()).slice(-MAX_CHARS).toWellFormed();
};
