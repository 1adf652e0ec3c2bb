import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { type Html, html } from "./html.ts";

const STYLE = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
label { display: block; margin: 1.25rem 0 .25rem; font-weight: 600 }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .4rem }
button { font: inherit; margin-top: 1.5rem; padding: .5rem 1rem }
small { display: block }
[role=alert] { border-left: .25rem solid #c33; padding-left: 1rem }`;

const STYLE_HASH = `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;

export type Page = {
  title: string;
  body: Html;
  status?: number;
  /** Origins or schemes that a form may be sent to, besides this server. */
  formsTo?: readonly string[];
};

/** Sends a page that loads nothing, runs nothing, may not be framed and is kept nowhere. */
export const sendPage = (
  reply: FastifyReply,
  { title, body, status = 200, formsTo = [] }: Page,
): FastifyReply =>
  reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": [
        "default-src 'none'",
        `style-src ${STYLE_HASH}`,
        `form-action ${["'self'", ...formsTo].join(" ")}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
      "cache-control": "no-store",
      // A form for another site tells it where it comes from, and nothing more.
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-content-type-options": "nosniff",
    })
    .send(documentOf(title, body));

const documentOf = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`.html;
