import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { loadConfig } from "../../src/config/load-config.ts";
import type { ForgeKind } from "../../src/forge/events.ts";
import { type Service, startBot } from "../../src/serve.ts";
import type { ThreadEvent } from "../../src/thread/events.ts";
import { expectNoDrift } from "../fixtures/replay-rig.ts";
import { forgeRig } from "./forge-rig/open.ts";
import type { ForgeRig } from "./forge-rig.ts";
import type { ModelScript } from "./model-script.ts";
import { type ModelServer, modelServer } from "./model-server.ts";
import { sumsScript } from "./sums-script.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export type BotOptions = {
  forge: ForgeKind;
  /** Default: every workflow's roles on the repository of sums. */
  script?: ModelScript;
  /** `config.yaml`, without what is about models. */
  config?: string;
  /** Besides `acme/sums`. */
  repositories?: readonly string[];
  /** Asked for by what else it serves; absent: it serves nothing else. */
  apiToken?: string;
  /** Of its threads, so many at most are replayed at the end; absent: every one. */
  replays?: number;
};

/** The whole bot in this process, on a forge with real git, with a scripted model behind HTTP. */
export type Bot = {
  forge: ForgeRig;
  model: ModelServer;
  /** Where it listens. */
  url: string;
  /** Where it takes webhooks. */
  hookUrl: string;
  /** What happened in its threads so far. */
  events: readonly ThreadEvent[];
  /** Stops it, and starts it again on the same store. */
  restart(): Promise<void>;
} & AsyncDisposable;

export const SUMS = "acme/sums";

const directory = fileURLToPath(new URL("../fixtures/repositories/sums", import.meta.url));

/** A million tokens cost a dollar. */
const MODEL = `
providers: { scripted: { baseUrl: "{{url}}", apiKeyEnv: OPENAI_API_KEY } }
models:
  default: { provider: scripted, name: scripted, contextTokens: 200000, price: { input: 1, cachedInput: 1, output: 1 } }
  small: { provider: scripted, name: small, contextTokens: 200000, price: { input: 1, cachedInput: 1, output: 1 } }
sandbox: { kind: none }
`;

/** People: `mona` and `lena` may write, `reader` may only read, `stranger` nothing. */
export const runningBot = async ({
  forge: kind,
  script = sumsScript(),
  config = "",
  repositories = [],
  apiToken,
  replays,
}: BotOptions): Promise<Bot> => {
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of opened.splice(0).reverse()) await end();
  };
  try {
    const root = await temporaryDirectory("uwf-bot-");
    opened.push(root.remove);
    const forge = await forgeRig(kind, {
      repositories: [SUMS, ...repositories],
      from: directory,
      users: [
        ...["mona", "lena"].map((login) => ({ login, permission: "write" as const })),
        { login: "reader", permission: "read" },
        { login: "stranger", permission: "none" },
      ],
    });
    opened.push(forge.close);
    // A test may take the bot's access to them away.
    const directories = new Map(
      [SUMS, ...repositories].map((name) => [name, forge.bare(name).directory] as const),
    );
    const bare = (name: string) => ({ directory: directories.get(name) ?? name });
    const model = await modelServer({ script });
    opened.push(model.close);
    await writeFile(join(root.path, "config.yaml"), `${MODEL.replace("{{url}}", model.url)}${config}`);
    const env = {
      ...forge.env,
      PATH: process.env.PATH ?? "",
      HOME: root.path,
      OPENAI_API_KEY: "sk-of-a-scripted-model",
      UWF_STORAGE_ROOT: root.path,
      HOST: "127.0.0.1",
      PORT: "0",
      ...(apiToken === undefined ? {} : { UWF_API_TOKEN: apiToken }),
    };
    const events: ThreadEvent[] = [];
    let service: Service;
    const bot = {
      ...{ forge, model, events },
      ...{ url: "", hookUrl: "" },
      [Symbol.asyncDispose]: close,
      restart: async () => {
        await service.close();
        await start();
      },
    };
    const start = async () => {
      service = await startBot(loadConfig({ env }), {
        log: pino({ level: process.env.LOG_LEVEL ?? "silent" }, pino.destination(2)),
        emit: (event) => void events.push(event),
      });
      bot.url = service.url;
      bot.hookUrl = `${service.url}${forge.hookPath}`;
      forge.sendWebhooksTo(bot.hookUrl);
    };
    await start();
    opened.push(async () => {
      await service.close();
      await expectNoDrift(root.path, { bare, ...(replays === undefined ? {} : { most: replays }) });
    });
    return bot;
  } catch (error) {
    await close();
    throw error;
  }
};
