import { z } from "zod";
import type { ThreadId } from "../base/ids.ts";
import type { RepositorySettings } from "../store/payload.ts";
import type { Store } from "../store/store.ts";
import type { ThreadReach } from "../workspace/network/network.ts";
import { addRefusals, type Refusal, refusalReasons } from "../workspace/network/refusal.ts";

const Refusals = z.array(
  z.object({ target: z.string(), reason: z.enum(refusalReasons), count: z.int().positive() }),
);

type Links = Pick<Store, "link" | "setLink">;

/** What the commands of a thread reach, by its repository's word, and where it is kept what they were refused. */
export const threadReach = (
  store: Links,
  {
    root,
    settings,
    confirm,
  }: {
    /** The thread that has the workspace. */
    root: ThreadId;
    settings: Pick<RepositorySettings, "network"> | undefined;
    /** Awaited before it is written. */
    confirm: () => Promise<void>;
  },
): ThreadReach => {
  let last = Promise.resolve();
  return {
    repository: settings?.network ?? [],
    onRefused: (refused) => {
      const note = async (): Promise<void> => {
        const sums = addRefusals(readRefused(await store.link(root, "refused-hosts")), refused);
        await confirm();
        await store.setLink(root, "refused-hosts", JSON.stringify(sums));
      };
      // Commands run beside each other: no sum may be lost.
      const noted = last.then(note);
      last = noted.catch(() => undefined);
      return noted;
    },
  };
};

/** What is kept in a thread's link `refused-hosts`. */
export const readRefused = (link: string | undefined): Refusal[] =>
  link === undefined ? [] : Refusals.parse(JSON.parse(link));
