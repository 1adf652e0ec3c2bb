import type { OpenedForge } from "../hook.ts";
import { signatureChecker } from "../webhook-signature.ts";
import { parseForgejoEvent } from "./forgejo-events.ts";
import { type ForgejoForgesOptions, forgejoForges } from "./forgejo-forges.ts";

/** Forgejo through the bot's account. */
export const openForgejo = ({
  webhookSecret,
  ...options
}: ForgejoForgesOptions & { webhookSecret: string }): OpenedForge => {
  const forges = forgejoForges(options);
  // Events are read without waiting for it. Until it is known, who may not write starts nothing either.
  forges.self().catch((err: unknown) => options.log.warn({ err }, "Forgejo does not say who the bot is"));
  return {
    forges,
    locate: forges.locate,
    hook: {
      verify: signatureChecker(webhookSecret, { prefix: "" }),
      read: (delivery) => parseForgejoEvent(delivery, forges.known()),
    },
  };
};
