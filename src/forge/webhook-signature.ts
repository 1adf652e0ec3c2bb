import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Checks `sha256=…` headers (https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries): HMAC-SHA-256
 * over the very bytes that came. Takes the same time wherever a wrong signature differs.
 */
export const signatureChecker =
  (secret: string) =>
  (body: Uint8Array, signature: string): boolean => {
    const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
