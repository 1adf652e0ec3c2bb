import type { QueryConfig, QueryResult } from "pg";
import { silence } from "./failure.ts";
import type { Taken } from "./pool.ts";

/**
 * The answer to one statement, however long it takes to come: a large one over a slow line is not silence. Throws
 * `silence()` when the server has sent nothing at all for so many milliseconds.
 */
export const answerTo = async (
  { client, received }: Taken,
  { query, silentMs }: { query: QueryConfig; silentMs: number },
): Promise<QueryResult> => {
  const silent = Promise.withResolvers<never>();
  let before = received();
  const timer = setInterval(() => {
    const now = received();
    if (now === before) silent.reject(silence());
    before = now;
  }, silentMs);
  try {
    return await Promise.race([client.query(query), silent.promise]);
  } finally {
    clearInterval(timer);
  }
};
