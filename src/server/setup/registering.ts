import { AppError, inputError } from "../../base/errors.ts";
import type { SetupSession } from "./session.ts";

/** What the forge hands out. */
export type NewAppKey = {
  id: number;
  name: string;
  /** PEM. */
  privateKey: string;
  webhookSecret: string;
  /** The page on which it is installed. */
  installUrl: string;
};

export type RegisteringParts = {
  session: Pick<SetupSession, "knows" | "spend">;
  /** Trades a code for the App. Throws what may heal (`retry`), and `manifest-code` (fix-input). */
  convert(code: string): Promise<NewAppKey>;
  /** Throws `config-unwritable` (fix-config). */
  keep(app: NewAppKey): Promise<void>;
  /** Throws it as well, when nothing could be kept. */
  checkKept(): Promise<void>;
};

/**
 * Takes the App that the forge has registered. A code is traded once: the same page asked for again, or twice at once, gets the same
 * App; when it could not be written it is kept here until it can.
 */
export const registering = ({ session, convert, keep, checkKept }: RegisteringParts) => {
  const taken = new Map<string, Promise<NewAppKey>>();
  let kept: NewAppKey | null = null;

  const trade = async (state: string, code: string): Promise<NewAppKey> => {
    try {
      const app = await convert(code);
      session.spend(state);
      return app;
    } catch (error) {
      taken.delete(state);
      if (!(error instanceof AppError && error.remedy === "retry")) session.spend(state);
      throw error;
    }
  };

  return {
    done: () => kept,
    /** Throws `setup-state` (fix-input) for a state that was not given out here, and what the parts throw. */
    take: async ({ code, state }: { code: string; state: string }): Promise<NewAppKey> => {
      if (kept !== null) return kept;
      let begun = taken.get(state);
      if (begun === undefined) {
        if (code === "" || !session.knows(state)) throw unknownState();
        await checkKept();
        begun = taken.get(state) ?? trade(state, code);
        taken.set(state, begun);
      }
      const app = await begun;
      await keep(app);
      kept = app;
      return app;
    },
  };
};

const unknownState = (): AppError =>
  inputError(
    "setup-state",
    "This page was not asked for from here, or more than an hour ago.",
    "If the App was registered, delete it on GitHub before you start over.",
  );
