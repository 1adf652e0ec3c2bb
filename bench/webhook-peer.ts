import { createServer } from "node:http";
import { createNodeMiddleware, Webhooks } from "@octokit/webhooks";
import { Redis } from "ioredis";

/**
 * A process that receives GitHub's webhooks with nothing but what the forge's own library has: verified, parsed, and each
 * delivery's id put into Redis before it is acknowledged. Arguments: the secret and the address of Redis.
 */
const [secret = "", redisUrl = ""] = process.argv.slice(2);
const redis = new Redis(redisUrl);
const webhooks = new Webhooks({ secret });
webhooks.onAny(async ({ id }) => {
  await redis.lpush("deliveries", id);
});
const server = createServer(createNodeMiddleware(webhooks));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object")
    process.stdout.write(`listens on http://127.0.0.1:${address.port}\n`);
});
process.once("SIGTERM", () => process.exit(0));
