import { inputError } from "../../base/errors.ts";
import { type Hash, newThreadId, type ThreadId } from "../../base/ids.ts";
import type { Payload } from "../../store/payload.ts";
import type { Workspace, Workspaces } from "../../workspace/workspace.ts";
import type { ScratchStore } from "./scratch-store.ts";

/** A workspace for one replay, of no thread: removed at its end. */
export type Stage = {
  /** Its id, as if it were a thread's. */
  id: ThreadId;
  workspace(): Workspace;
  /** The `workspace` node of the files as they are; null without a repository. */
  capture(): Promise<Hash | null>;
  /** Makes the directory anew with these files: what git ignores is gone. */
  renew(captured: Hash | null): Promise<void>;
  /** Brings the files to a captured state: what git ignores stays. */
  put(captured: Hash): Promise<void>;
  close(): Promise<void>;
};

type Parts = { recorded: Pick<ScratchStore, "load">; workspaces: Workspaces };

/** Opens the workspace that a thread began with. Throws as `Workspaces.open`. */
export const openStage = async (
  { recorded: store, workspaces }: Parts,
  { workspace: begun, settings }: Pick<Payload<"thread-start">, "workspace" | "settings">,
): Promise<Stage> => {
  const id = newThreadId();
  const node = begun === null ? null : await store.load("workspace", begun);
  const open = (captured: Hash | null): Promise<Workspace> =>
    workspaces.open(id, node === null ? null : { repository: node.repository, base: node.base, captured }, {
      repository: settings?.network ?? [],
      onRefused: async () => undefined,
    });
  let workspace = await open(begun);
  return {
    id,
    workspace: () => workspace,
    capture: () => workspaces.capture(id),
    renew: async (captured) => {
      await workspaces.close(id);
      workspace = await open(captured ?? begun);
    },
    put: async (captured) => {
      const { base } = await store.load("workspace", captured);
      if (node === null || node.base !== base)
        throw inputError(
          "workspace-base",
          "The recorded files lie on another commit than the thread began with.",
        );
      await workspaces.restore(id, captured);
    },
    close: () => workspaces.close(id),
  };
};
