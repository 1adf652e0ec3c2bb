import type { RigApp } from "./emulator.ts";

/** The bot's environment for the rig. */
export const environment = (parts: { app: RigApp; origin: string; secret: string; privateKey: string }) => ({
  GITHUB_APP_ID: String(parts.app.id),
  GITHUB_APP_PRIVATE_KEY: parts.privateKey,
  GITHUB_WEBHOOK_SECRET: parts.secret,
  GHE_HOST: new URL(parts.origin).host,
  GHE_PROTOCOL: "http",
});
