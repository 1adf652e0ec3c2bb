import type { Config, ForgejoConfig } from "../../config/config.ts";
import { type Check, failed, ok } from "./check.ts";

/** The bot's token works, and whose it is. */
export const checkForgejo = async (
  forgejo: ForgejoConfig,
  { server }: Pick<Config, "server">,
): Promise<Check> => {
  const { forgejoLogin } = await import("../../app/forges.ts");
  try {
    const login = await forgejoLogin(forgejo);
    return ok(
      "Forgejo",
      `${login} on ${forgejo.url}, webhooks at http://${server.host}:${server.port}/api/forgejo/webhooks`,
    );
  } catch (error) {
    return failed("Forgejo", error);
  }
};
