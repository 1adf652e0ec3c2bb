import { closeServer, json, listen } from "../http.ts";
import type { ForeignChecks, ForeignRun } from "./foreign-checks.ts";

export type LogHost = {
  urlOf(run: ForeignRun): string;
  /** The `Authorization` headers that came: there should be none, the address itself is the permission. */
  readonly credentials: readonly string[];
  close(): Promise<void>;
};

/** Where GitHub keeps the logs of jobs: another host than the API's. */
export const logHost = async (checks: ForeignChecks): Promise<LogHost> => {
  const credentials: string[] = [];
  const { origin, server } = await listen(async ({ path, headers }) => {
    if (headers.authorization !== undefined) credentials.push(headers.authorization);
    const run = checks.runs.find(({ id }) => path === `/logs/${id}`);
    if (run?.log == null) return json(404, { message: "The specified blob does not exist." });
    return { status: 200, headers: { "content-type": "text/plain" }, body: Buffer.from(run.log) };
  });
  return { credentials, urlOf: ({ id }) => `${origin}/logs/${id}?sig=rig`, close: () => closeServer(server) };
};
