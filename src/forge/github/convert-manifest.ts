import { z } from "zod";
import { boundedResponse } from "../../base/bounded-response.ts";
import { AppError, configError, inputError, messageOf } from "../../base/errors.ts";

/** An App that GitHub has registered. */
export type RegisteredApp = {
  id: number;
  name: string;
  privateKey: string;
  webhookSecret: string;
  /** The page on which it is installed. */
  installUrl: string;
};

const Conversion = z.object({
  id: z.int().positive(),
  name: z.string(),
  html_url: z.url({ protocol: /^https?$/ }),
  pem: z.string().includes("PRIVATE KEY"),
  webhook_secret: z.string().min(1).nullable(),
});

const LIMIT_MS = 30_000;
const MAX_BYTES = 1024 * 1024;

/**
 * Takes the App that a person has just registered from GitHub, once, within an hour. Throws `forge-unavailable` (retry) when GitHub does not
 * answer, `manifest-code` (fix-input) when it does not know the code any more, and `forge-refused` (fix-config).
 */
export const convertManifest = async (apiUrl: string, code: string): Promise<RegisteredApp> => {
  const response = await post(`${apiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`);
  if (response.status === 404 || response.status === 422)
    throw inputError("manifest-code", "GitHub does not know this code, or it was used before.");
  if (response.status !== 201) throw refusal(response.status);
  const app = Conversion.safeParse(response.body);
  if (!app.success)
    throw configError("forge-refused", "GitHub's answer is not that of a registered App.", SAME_SERVER);
  const { id, name, pem, html_url, webhook_secret } = app.data;
  if (webhook_secret === null)
    throw configError(
      "forge-refused",
      "GitHub has registered the App without a webhook secret.",
      "Delete it there and start over.",
    );
  return {
    ...{ id, name, privateKey: pem, webhookSecret: webhook_secret },
    installUrl: `${html_url.replace(/\/+$/, "")}/installations/new`,
  };
};

const SAME_SERVER = "Check that GHE_HOST names the server on which the App was registered.";

const refusal = (status: number): AppError =>
  status >= 500 || status === 408 || status === 429 || status === 403
    ? unavailable(`status ${status}`)
    : configError("forge-refused", `GitHub refused to hand out the App (status ${status}).`, SAME_SERVER);

const unavailable = (what: string, cause?: unknown): AppError =>
  new AppError(`GitHub does not hand out the App now (${what}).`, {
    code: "forge-unavailable",
    remedy: "retry",
    hint: "Try again in a moment.",
    cause,
  });

const post = async (url: string): Promise<{ status: number; body: unknown }> => {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { accept: "application/vnd.github+json", "user-agent": "uwf" },
      redirect: "error",
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = await boundedResponse(response, MAX_BYTES).text();
    return { status: response.status, body: response.status === 201 ? JSON.parse(text) : null };
  } catch (error) {
    throw unavailable(messageOf(error), error);
  }
};
