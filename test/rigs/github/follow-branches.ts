import { pullHeads, pullOf, pullRef, pullsOf } from "./pulls.ts";
import type { RigState } from "./rule.ts";

/** After branches moved: open pull requests follow theirs, or are closed with them, and the App is told. */
export const followBranches = async (state: RigState, fullName: string, by: string): Promise<void> => {
  const repository = state.repositories.get(fullName);
  if (repository === undefined) return;
  const branches = await repository.branches();
  const known = await pullHeads(repository);
  for (const pull of await pullsOf(state, fullName)) {
    if (!pull.isOpen || state.forks.has(`${fullName}#${pull.number}`)) continue;
    const before = known.get(pull.number);
    const after = branches.get(pull.branch);
    if (before === after) continue;
    if (after === undefined) {
      await state.ownerApi(fullName)("PATCH", `/repos/${fullName}/pulls/${pull.number}`, { state: "closed" });
      continue;
    }
    await repository.git("update-ref", pullRef(pull.number), after);
    if (before !== undefined) await tell(state, { fullName, number: pull.number, before, after, by });
  }
};

const tell = async (
  state: RigState,
  moved: { fullName: string; number: number; before: string; after: string; by: string },
): Promise<void> => {
  const { fullName, number, before, after, by } = moved;
  const pull = await pullOf(state, fullName, number);
  await state.emit({
    event: "pull_request",
    repository: fullName,
    by,
    payload: { action: "synchronize", number, before, after, pull_request: pull?.data },
  });
};
