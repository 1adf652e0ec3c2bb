import type { Emit } from "./emission.ts";
import type { RigState } from "./rule.ts";
import type { WebhookRelay } from "./webhooks.ts";

/** Sends webhooks, complete as GitHub's, to an App that is installed there and listens to the event. */
export const emitter =
  (
    relay: WebhookRelay,
    { app, installations, ownerApi, account }: Omit<RigState, "emit" | "users" | "tokens" | "repositories">,
  ): Emit =>
  async ({ event, repository, by, payload }) => {
    if (!app.events.includes(event) || !installations.covers(repository)) return;
    const [owner = ""] = repository.split("/");
    const api = ownerApi(repository);
    await relay.deliver(event, {
      ...payload,
      repository: await api("GET", `/repos/${repository}`),
      organization: await api("GET", `/orgs/${owner}`),
      sender: await account(by),
      installation: { id: installations.idOf(owner), node_id: `I_${installations.idOf(owner)}` },
    });
  };
