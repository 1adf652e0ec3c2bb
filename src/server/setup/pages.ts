import { type Html, html } from "../pages/html.ts";
import type { Page } from "../pages/page.ts";
import type { FormFields } from "./form.ts";

const TITLE = "Set up uwf on GitHub";

export const lockedPage: Page = {
  title: TITLE,
  status: 401,
  body: html`<p>This server is not set up yet. Open the link that <code>uwf start</code> shows in its terminal:
it lets one browser in. When that one is lost, start uwf again for a new link.</p>`,
};

export const formPage = (
  { organisation, publicUrl, name }: FormFields,
  { problems = [], host, key }: { problems?: readonly string[]; host: string; key: string },
): Page => ({
  title: TITLE,
  status: problems.length === 0 ? 200 : 400,
  body: html`<p>uwf works as a GitHub App of your own. This registers it on <b>${host}</b>, with the permissions of
<code>app.yml</code>; GitHub shows them to you before anything happens.</p>
${problemList(problems)}
<form method="post" action="/setup">
<input type="hidden" name="key" value="${key}">
<label for="organisation">Organisation</label>
<input id="organisation" name="organisation" value="${organisation}" autocomplete="off" spellcheck="false">
<small>Its name as it stands in addresses. Empty: your own account.</small>
<label for="publicUrl">Address of this server</label>
<input id="publicUrl" name="publicUrl" value="${publicUrl}" required spellcheck="false" placeholder="https://uwf.example.org">
<small>As GitHub reaches it; webhooks go there.</small>
<label for="name">Name of the App</label>
<input id="name" name="name" value="${name}" maxlength="34" autocomplete="off" spellcheck="false">
<small>Nobody else on ${host} may have it. Empty: uwf and the organisation's name.</small>
<button>Go on</button>
</form>`,
});

/** The step to GitHub: a form for another site cannot be filled in and sent in one without a script. */
export const manifestPage = (
  { name, manifest, action }: { name: string; manifest: object; action: string },
  { host }: { host: string },
): Page => ({
  title: TITLE,
  // Browsers hold the way on to this as well, and an organisation's sign-in may lie anywhere.
  formsTo: [new URL(action).protocol],
  body: html`<p>Now ${host} asks you to confirm the App <b>${name}</b>, and sends you back here.</p>
<form method="post" action="${action}">
<input type="hidden" name="manifest" value="${JSON.stringify(manifest)}">
<button>Register the App on ${host}</button>
</form>
<p><a href="/setup">Back</a></p>`,
});

export const donePage = ({ name, installUrl }: { name: string; installUrl: string }): Page => ({
  title: "uwf is set up",
  body: html`<p>The App <b>${name}</b> is registered, and its key is in <code>.env</code> in the storage root. uwf goes on
by itself; its terminal says so.</p>
<p><a href="${installUrl}">Install the App</a> on the repositories that it may work in: it serves all of them from here.
Then put the label <code>uwf</code> on an issue, or write <code>/solve</code> under it.</p>`,
});

export const problemPage = (
  problems: readonly string[],
  { status, again }: { status: number; again: { url: string; text: string } },
): Page => ({
  title: TITLE,
  status,
  body: html`${problemList(problems)}
<p><a href="${again.url}">${again.text}</a></p>`,
});

const problemList = (problems: readonly string[]): Html =>
  problems.length === 0
    ? html``
    : html`<div role="alert">${problems.map((problem) => html`<p>${problem}</p>`)}</div>`;
