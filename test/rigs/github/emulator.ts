import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { createEmulator } from "emulate";
import { parse } from "yaml";
import { z } from "zod";

export type RigUser = {
  login: string;
  /** On every repository. */
  permission: "admin" | "maintain" | "write" | "triage" | "read" | "none";
};

export type RigApp = { id: number; slug: string; permissions: Record<string, string>; events: string[] };

export type EmulatorOptions = {
  /** The rig's own address, which stands in every answer. */
  origin: string;
  repositories: readonly { fullName: string; visibility: "public" | "private" }[];
  users: readonly RigUser[];
  app: RigApp;
  webhookUrl: string;
  webhookSecret: string;
};

export type Emulator = {
  url: string;
  privateKey: string;
  /** Tokens of people, by login; each organisation's owner is `<organisation>-owner`. */
  tokens: ReadonlyMap<string, string>;
  close(): Promise<void>;
};

export const INSTALLATION_ID = 7001;

/** The App as `app.yml` registers it: what the bot needs and the file lacks fails against the rig. */
export const appFromManifest = async (): Promise<RigApp> => {
  const text = await readFile(new URL("../../../app.yml", import.meta.url), "utf8");
  const Manifest = z.object({
    name: z.string(),
    default_permissions: z.record(z.string(), z.string()),
    default_events: z.array(z.string()),
  });
  const manifest = Manifest.parse(parse(text));
  return {
    id: 4242,
    slug: manifest.name,
    permissions: manifest.default_permissions,
    events: manifest.default_events,
  };
};

/** Starts the emulator with organisations for owners, people with tokens, and the App installed on the first owner. */
export const startEmulator = async (options: EmulatorOptions): Promise<Emulator> => {
  const { origin, repositories, users, app } = options;
  const owners = [...new Set(repositories.map(({ fullName }) => fullName.split("/")[0] ?? ""))];
  const logins = [...users.map(({ login }) => login), ...owners.map((owner) => `${owner}-owner`)];
  const tokens = new Map(logins.map((login) => [login, `ghp_${randomBytes(18).toString("hex")}`]));
  const port = await freePort();
  const emulator = await createEmulator({
    service: "github",
    port,
    baseUrl: origin,
    seed: {
      tokens: Object.fromEntries([...tokens].map(([login, token]) => [token, { login }])),
      github: {
        users: logins.map((login) => ({ login, name: login })),
        orgs: owners.map((login) => ({
          login,
          name: login,
          members: [{ login: `${login}-owner`, role: "admin" }],
        })),
        repos: repositories.map(({ fullName, visibility }) => ({
          owner: fullName.split("/")[0],
          name: fullName.split("/")[1],
          private: visibility === "private",
          auto_init: false,
        })),
        apps: [appSeed(options, owners)],
      },
    },
  });
  const privateKey = emulator.generatedSecrets.find(({ id }) => id === String(app.id))?.value;
  if (privateKey === undefined) throw new Error("the emulator made no key for the App");
  return { url: `http://127.0.0.1:${port}`, privateKey, tokens, close: () => emulator.close() };
};

/** The emulator does not tell which port it got, so it is given one. */
const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const appSeed = ({ app, webhookUrl, webhookSecret }: EmulatorOptions, owners: readonly string[]) => ({
  app_id: app.id,
  slug: app.slug,
  name: app.slug,
  permissions: app.permissions,
  events: app.events,
  webhook_url: webhookUrl,
  webhook_secret: webhookSecret,
  installations: owners.map((account, index) => ({ installation_id: INSTALLATION_ID + index, account })),
});
