import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { storageRootOf } from "../../config/storage-root.ts";
import type { Context } from "../context.ts";
import { checkAgents } from "./agent-check.ts";
import { type Check, failed, ok } from "./check.ts";
import { checkForgejo } from "./forgejo-check.ts";
import { checkGit, checkNode, checkRipgrep } from "./program-checks.ts";
import { checkQueue } from "./queue-check.ts";
import { checkStorageRoot, checkStore } from "./storage-checks.ts";

/** Everything that uwf needs, looked at in the order in which a person would put it right. */
export const runChecks = async (context: Context, { online }: { online: boolean }): Promise<Check[]> => {
  const root = storageRootOf(context.env);
  const checks = [
    checkNode(),
    await checkGit(),
    await checkRipgrep(),
    await checkStorageRoot(root),
    await checkStore(context, root),
  ];
  const { loadConfig } = await import("../../config/load-config.ts");
  try {
    const config = loadConfig({ env: context.env });
    const file = existsSync(join(root, "config.yaml"))
      ? "config.yaml and the environment"
      : "the environment, without a config.yaml";
    checks.push(ok("configuration", file));
    if (config.redisUrl !== null) checks.push(await checkQueue(config.redisUrl, config));
    checks.push(await checkSandbox(config), await checkModel(config, { online }), checkGitHub(config));
    const agents = checkAgents(config);
    if (agents !== null) checks.push(agents);
    if (Object.keys(config.mcpServers).length > 0) {
      const { checkMcpServers } = await import("./mcp-check.ts");
      checks.push(...(await checkMcpServers(context, config)));
    }
    if (config.forgejo !== null) checks.push(await checkForgejo(config.forgejo, config));
  } catch (error) {
    checks.push(failed("configuration", error));
  }
  return checks;
};

const checkSandbox = async (config: Config): Promise<Check> => {
  const { openSandbox } = await import("../../app.ts");
  if (config.sandbox.kind === "none")
    return {
      name: "sandbox",
      state: "optional",
      detail: "off: commands run as this user, with everything that this user may do",
      hint: "Set `sandbox: { kind: bubblewrap }` in config.yaml.",
    };
  try {
    const sandbox = await openSandbox(config);
    const limitations = await sandbox.check();
    return ok("sandbox", [`${sandbox.kind} holds`, ...limitations].join("; "));
  } catch (error) {
    return failed("sandbox", error);
  }
};

const checkModel = async (config: Config, { online }: { online: boolean }): Promise<Check> => {
  const { modelNamed } = await import("../../config/models.ts");
  try {
    const { model, provider } = modelNamed(config, config.defaultModel);
    const about = `${model.name} at ${provider.baseUrl}${model.price === undefined ? ", no price: budgets in money do not hold" : ""}`;
    if (!online) return { ...ok("model", about), hint: "`uwf doctor --online` asks it for a word." };
    const { askForAWord } = await import("./ask-for-a-word.ts");
    return ok("model", `${about}, answered in ${await askForAWord(config)}`);
  } catch (error) {
    return failed("model", error);
  }
};

const checkGitHub = ({ github, forgejo, server }: Config): Check =>
  github === null
    ? {
        name: "GitHub App",
        state: "optional",
        detail: forgejo === null ? "not configured; only `uwf start` needs it, or Forgejo" : "not configured",
        hint: `\`uwf ${forgejo === null ? "start" : "setup --forge github"}\` shows a page that registers one.`,
      }
    : ok(
        "GitHub App",
        `${github.appId} on ${github.webUrl}, webhooks at http://${server.host}:${server.port}`,
      );
