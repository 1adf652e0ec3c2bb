import type { FastifyPluginAsync } from "fastify";
import type { ForgeKind } from "../../forge/events.ts";
import { html } from "./html.ts";
import { type Page, sendPage } from "./page.ts";

const NAMES: Readonly<Record<ForgeKind, string>> = { github: "GitHub", forgejo: "Forgejo" };

/** `/`: what somebody finds who opens the server's address. It says nothing that a stranger may not know. */
export const firstPage: FastifyPluginAsync<{ forges: readonly ForgeKind[] }> = async (server, { forges }) => {
  server.get("/", (_request, reply) => sendPage(reply, pageFor(forges)));
};

const pageFor = (forges: readonly ForgeKind[]): Page => ({
  title: "uwf",
  body: html`<p>This is uwf, a bot that turns issues into pull requests. ${served(forges)}</p>
<p>In a repository that it serves, put the label <code>uwf</code> on an issue, or write <code>/solve</code> under it;
<code>/help</code> shows what else it understands. Its guides are in the folder <code>docs</code> of its source:
<code>commands.md</code> for people who ask for work, <code>configuration.md</code> and <code>deployment.md</code> for who runs it.</p>
<ul>
<li><a href="/healthz">/healthz</a>: whether it is up</li>
<li><a href="/readyz">/readyz</a>: whether it can work now</li>
</ul>`,
});

const served = (forges: readonly ForgeKind[]): string =>
  forges.length === 0
    ? "This process takes no webhooks; it only works."
    : `It serves ${forges.map((forge) => NAMES[forge]).join(" and ")}.`;
