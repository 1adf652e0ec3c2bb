import { createSign } from "node:crypto";
import { apiAs, at } from "./api.ts";
import { type Emulator, INSTALLATION_ID, type RigApp, type RigUser } from "./emulator.ts";

/** The emulator's names of permissions, which are git's. */
export const INTRODUCED_AS: Readonly<Record<RigUser["permission"], string | null>> = {
  admin: "admin",
  maintain: "maintain",
  write: "push",
  triage: "triage",
  read: "pull",
  none: null,
};

/** Gives people their permissions, and lets the bot's user exist from the start by making its label. */
export const introduce = async (
  emulator: Emulator,
  { repositories, users, app }: { repositories: readonly string[]; users: readonly RigUser[]; app: RigApp },
): Promise<void> => {
  const bot = apiAs(emulator.url, await installationToken(emulator, app));
  for (const fullName of repositories) {
    const owner = apiAs(emulator.url, emulator.tokens.get(ownerLogin(fullName)));
    for (const { login, permission } of users) {
      const level = INTRODUCED_AS[permission];
      if (level !== null)
        await owner("PUT", `/repos/${fullName}/collaborators/${login}`, { permission: level });
    }
    const label = { name: app.slug, color: "1d76db", description: "Let the bot work on it" };
    if (fullName.split("/")[0] === repositories[0]?.split("/")[0])
      await bot("POST", `/repos/${fullName}/labels`, label);
  }
};

/** The login of the person who owns the organisation of a repository. */
export const ownerLogin = (fullName: string): string => `${fullName.split("/")[0]}-owner`;

const installationToken = async ({ url, privateKey }: Emulator, app: RigApp): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: String(app.id), iat: now - 30, exp: now + 300 };
  const unsigned = [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = createSign("RSA-SHA256").update(unsigned).sign(privateKey, "base64url");
  const asApp = apiAs(url, `${unsigned}.${signature}`);
  const answer = await asApp("POST", `/app/installations/${INSTALLATION_ID}/access_tokens`, {});
  return String(at(answer, "token"));
};
