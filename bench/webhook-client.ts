import { createHmac, randomUUID } from "node:crypto";
import autocannon from "autocannon";
import { type WebhookAction, webhookBody } from "./webhook-body.ts";

/**
 * A process that delivers the same webhook again and again, each time under another id. Arguments: the address, the
 * secret, connections, seconds, what was done to the issue. Prints what `Delivered` has, as JSON.
 */
export type Delivered = { perSecond: number; p50: number; p99: number; accepted: number; refused: number };

const [url = "", secret = "", connections, seconds, action] = process.argv.slice(2);
const body = webhookBody(action as WebhookAction);
const headers = {
  "content-type": "application/json",
  "x-github-event": "issues",
  "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
};
const run = randomUUID();
let sent = 0;
const result = await autocannon({
  url,
  method: "POST",
  connections: Number(connections),
  duration: Number(seconds),
  requests: [
    {
      setupRequest: (request) => ({
        ...request,
        headers: { ...headers, "x-github-delivery": `${run}-${++sent}` },
        body,
      }),
    },
  ],
});
const delivered: Delivered = {
  perSecond: result["2xx"] / result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  accepted: result["2xx"],
  refused: result.non2xx + result.errors + result.timeouts,
};
process.stdout.write(JSON.stringify(delivered));
