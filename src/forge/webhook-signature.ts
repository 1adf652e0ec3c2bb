import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Checks signatures of webhooks: HMAC-SHA-256 over the very bytes that came, in hex after `prefix`, which is `sha256=` on GitHub
 * (https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries) and empty on Forgejo. Takes the same time
 * wherever a wrong signature differs.
 */
export const signatureChecker =
  (secret: string, { prefix }: { prefix: "sha256=" | "" }) =>
  (body: Uint8Array, signature: string): boolean => {
    const expected = Buffer.from(`${prefix}${createHmac("sha256", secret).update(body).digest("hex")}`);
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
