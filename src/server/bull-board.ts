import type { Queue } from "bullmq";
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import type { TokenGuard } from "./api-token.ts";

export type BullBoardOptions = { queues: readonly Queue[]; guard: TokenGuard };

const PATH = "/queues";

/** Nothing comes from, or goes to, another server, and no other page may frame this one. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Bull Board at `/queues`, for looking only. Browsers send a Basic password with whatever another site makes them ask for, so
 * nothing that could change anything is let through.
 */
export const bullBoard: FastifyPluginAsync<BullBoardOptions> = async (server, { queues, guard }) => {
  let opened: Promise<FastifyInstance> | undefined;
  server.addHook("onRequest", async (request, reply) => {
    if (guard(request, reply)) return reply;
    if (request.method !== "GET" && request.method !== "HEAD")
      return reply.code(405).header("allow", "GET, HEAD").send({ error: "This board is for looking only." });
    // Few ever look: what the page takes is loaded for the first who does.
    opened ??= openBoard(queues).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    const board = await opened;
    reply.hijack();
    board.routing(request.raw, reply.raw);
    return undefined;
  });
  const answered = () => Promise.reject(new Error("the board has answered"));
  server.all(PATH, answered);
  server.all(`${PATH}/*`, answered);
  server.addHook("onClose", async () => (await opened)?.close());
};

const openBoard = async (queues: readonly Queue[]): Promise<FastifyInstance> => {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import("@bull-board/api"),
    import("@bull-board/api/bullMQAdapter"),
    import("@bull-board/fastify"),
  ]);
  const adapter = new FastifyAdapter();
  adapter.setBasePath(PATH);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: "uwf" } },
  });
  const board = Fastify();
  board.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "content-security-policy": POLICY,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
  });
  await board.register(adapter.registerPlugin(), { prefix: PATH });
  await board.ready();
  return board;
};
