import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../base/errors.ts";
import { type Page, sendPage } from "../pages/page.ts";
import { type FormFields, isLoopback, keyIn, readForm, type SetupForm } from "./form.ts";
import { donePage, formPage, lockedPage, manifestPage, problemPage } from "./pages.ts";
import { type RegisteringParts, registering } from "./registering.ts";
import type { SetupSession } from "./session.ts";

export type SetupOptions = RegisteringParts & {
  session: SetupSession;
  /** The forge as people see it, e.g. `https://github.com`. */
  webUrl: string;
  /** The manifest of an App, and the page of the forge that takes it. */
  manifestFor(
    app: SetupForm & { redirectUrl: string; state: string },
  ): Promise<{ manifest: object; action: string }>;
  onDone(): void;
};

const COOKIE = "uwf-setup";
const MAX_FORM_BYTES = 16 * 1024;

/**
 * `/setup`: registers the App for one person, the one who has the link of the terminal. The browser comes back from the forge with a
 * code, which is traded for the App's key once; `onDone` is called when that page has been sent.
 */
export const setupPages: FastifyPluginAsync<SetupOptions> = async (server, options) => {
  const { session, webUrl, manifestFor, checkKept } = options;
  const { host, hostname } = new URL(webUrl);
  const register = registering(options);
  const form = (fields: FormFields, problems: readonly string[] = []): Page =>
    formPage(fields, { problems, host, key: session.formKey });

  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  server.addHook("onRequest", async (request, reply) => {
    if (session.has(cookieOf(request))) return undefined;
    const { token } = queryOf(request);
    return token !== undefined && request.method === "GET" && request.routeOptions.url === "/setup"
      ? letIn(session, { request, reply, token })
      : sendPage(reply, lockedPage);
  });

  server.get("/setup", async (request, reply) => {
    // A link with the token leaves the address bar, and what the browser remembers.
    if (queryOf(request).token !== undefined) return reply.redirect("/setup", 303);
    const app = register.done();
    return sendPage(reply, app === null ? form(empty(request)) : donePage(app));
  });

  server.post("/setup", async (request, reply) => {
    const app = register.done();
    if (app !== null) return sendPage(reply, donePage(app));
    // What another site has filled in is not shown as this person's.
    if (!session.isFormKey(keyIn(request.body)))
      return sendPage(reply, form(empty(request), [NOT_FROM_HERE]));
    const read = readForm(request.body, { isPublic: !isLoopback(hostname) });
    if (read.kind === "problems") return sendPage(reply, form(read.fields, read.problems));
    await checkKept();
    const redirectUrl = `${originOf(request)}/setup/created`;
    const { manifest, action } = await manifestFor({ ...read.form, redirectUrl, state: session.newState() });
    return sendPage(reply, manifestPage({ name: read.form.name, manifest, action }, { host }));
  });

  server.get("/setup/created", async (request, reply) => {
    const { code = "", state = "" } = queryOf(request);
    const app = await register.take({ code, state });
    reply.raw.once("close", options.onDone);
    // What serves from here on listens at the same address.
    return sendPage(reply.header("connection", "close"), donePage(app));
  });

  server.setErrorHandler((error, request, reply) => {
    if (!(error instanceof AppError)) throw error;
    const isAgain = error.remedy === "retry" || error.code === "config-unwritable";
    request.log.warn({ err: error }, "the set-up did not go on");
    const problems = [error.message, ...(error.hint === undefined ? [] : [error.hint])];
    const again = isAgain && request.method === "GET" ? { url: request.url, text: "Try again" } : START_OVER;
    return sendPage(reply, problemPage(problems, { status: STATUS[error.remedy], again }));
  });
};

const NOT_FROM_HERE = "This was not sent from the page of this server. Fill it in here.";
const START_OVER = { url: "/setup", text: "Start over" };
const STATUS = { retry: 503, "fix-input": 400, "fix-config": 500, bug: 500 } as const;

type Asking = { request: FastifyRequest; reply: FastifyReply };

const letIn = (
  session: SetupSession,
  { request, reply, token }: Asking & { token: string },
): FastifyReply => {
  const cookie = session.begin(token);
  if (cookie === null) return sendPage(reply, lockedPage);
  const secure = request.headers["x-forwarded-proto"] === "https" ? "; Secure" : "";
  return reply
    .header("set-cookie", `${COOKIE}=${cookie}; Path=/setup; HttpOnly; SameSite=Lax${secure}`)
    .header("cache-control", "no-store")
    .redirect("/setup", 303);
};

const queryOf = ({ query }: FastifyRequest): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(query as object).map(([name, value]) => [
      name,
      typeof value === "string" ? value : undefined,
    ]),
  );

const cookieOf = ({ headers }: FastifyRequest): string =>
  new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(headers.cookie ?? "")?.[1] ?? "";

/** This server as the browser sees it, also behind a proxy that changes `Host`. */
const originOf = ({ headers }: FastifyRequest): string => {
  const origin = URL.parse(headers.origin ?? "");
  return origin !== null && /^https?:$/.test(origin.protocol)
    ? origin.origin
    : new URL(`http://${headers.host ?? "127.0.0.1"}`).origin;
};

/** A browser that came over HTTPS shows the address that GitHub reaches as well. */
const empty = ({ headers, host, hostname }: FastifyRequest): FormFields => ({
  organisation: "",
  publicUrl: headers["x-forwarded-proto"] === "https" && !isLoopback(hostname) ? `https://${host}` : "",
  name: "",
});
