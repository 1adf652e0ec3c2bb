import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyPluginAsync } from "fastify";

const folder = fileURLToPath(new URL("page/", import.meta.url));

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

/** Nothing comes from, or goes to, another server, and no other page may frame this one. */
const HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "cache-control": "no-cache",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** The page at `/designer` that holds conversations. It knows nothing: who opens it brings the token that its requests carry. */
export const designerPage: FastifyPluginAsync = async (server) => {
  const serve = async (path: string, file: string): Promise<void> => {
    const type = types[extname(file)];
    if (type === undefined) return;
    const content = await readFile(`${folder}${file}`);
    server.get(path, (_request, reply) => reply.headers({ ...HEADERS, "content-type": type }).send(content));
  };
  await serve("/designer", "index.html");
  for (const file of await readdir(folder)) await serve(`/designer/assets/${file}`, file);
};
