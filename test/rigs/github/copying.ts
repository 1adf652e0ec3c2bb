import { emulatorToGit } from "./emulator-to-git.ts";
import { followBranches } from "./follow-branches.ts";
import { gitToEmulator } from "./git-to-emulator.ts";
import type { RigState } from "./rule.ts";

/** Keeps git and the emulator the same, beginning now. One copy at a time, so that none sees half of another. */
export const copying = async (state: RigState) => {
  let last: Promise<void> = Promise.resolve();
  const inTurn = (copy: () => Promise<void>): Promise<void> => {
    const run = last.then(copy);
    last = run.catch(() => undefined);
    return run;
  };
  const toEmulator = new Map<string, () => Promise<void>>();
  const toGit = new Map<string, () => Promise<void>>();
  for (const [name, bare] of state.repositories) {
    toEmulator.set(name, gitToEmulator(bare, state.ownerApi(name)));
    toGit.set(name, emulatorToGit(bare, state.ownerApi(name)));
  }
  for (const copy of toEmulator.values()) await copy();
  const moved = (copies: ReadonlyMap<string, () => Promise<void>>) => (name: string, by: string) =>
    inTurn(async () => {
      await copies.get(name)?.();
      await followBranches(state, name, by);
    });
  return { pushed: moved(toEmulator), edited: moved(toGit) };
};
