import { randomBytes } from "node:crypto";
import { z } from "zod";
import { json, type RigResponse } from "../http.ts";
import type { Rule } from "../rule.ts";

export type ManifestApp = { id: number; slug: string; privateKey: string; secret: string; origin: string };

const Manifest = z.object({
  name: z.string().min(1).max(34),
  url: z.url(),
  hook_attributes: z.object({ url: z.url() }),
  redirect_url: z.url(),
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
});

export type Manifest = z.output<typeof Manifest> & { owner: string | null };

/**
 * GitHub's side of the manifest flow: the page that takes a manifest (here it registers at once, a person would confirm), and the
 * conversion of its code, once. The App that comes out is the rig's own.
 */
export const appManifests = (
  app: ManifestApp,
): { rules: readonly Rule[]; registered: readonly Manifest[] } => {
  const codes = new Map<string, Manifest>();
  const registered: Manifest[] = [];

  const register: Rule = {
    method: "POST",
    path: /^(?:\/organizations\/(?<owner>[^/]+))?\/settings\/apps\/new$/,
    answer: async ({ request, params }) => {
      const form = new URLSearchParams(request.body.toString("utf8"));
      const manifest = Manifest.parse(JSON.parse(form.get("manifest") ?? ""));
      const code = randomBytes(20).toString("hex");
      const one = { ...manifest, owner: params.owner ?? null };
      codes.set(code, one);
      registered.push(one);
      const back = new URL(manifest.redirect_url);
      back.searchParams.set("code", code);
      const state = new URLSearchParams(request.query).get("state");
      if (state !== null) back.searchParams.set("state", state);
      return redirect(back.href);
    },
  };

  const convert: Rule = {
    method: "POST",
    path: /^\/app-manifests\/(?<code>[^/]+)\/conversions$/,
    answer: async ({ params }) => {
      const manifest = codes.get(params.code ?? "");
      if (manifest === undefined) return json(404, { message: "Not Found" });
      codes.delete(params.code ?? "");
      return json(201, {
        id: app.id,
        slug: app.slug,
        name: manifest.name,
        owner: { login: manifest.owner ?? "somebody" },
        html_url: `${app.origin}/apps/${app.slug}`,
        permissions: manifest.default_permissions,
        events: manifest.default_events,
        client_id: "Iv1.rig",
        client_secret: randomBytes(20).toString("hex"),
        webhook_secret: app.secret,
        pem: app.privateKey,
      });
    },
  };
  return { rules: [register, convert], registered };
};

const redirect = (location: string): RigResponse => ({
  status: 302,
  headers: { location },
  body: Buffer.alloc(0),
});
