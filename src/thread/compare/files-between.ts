import type { Hash } from "../../base/ids.ts";
import { lineCounts, lineDiff } from "../../base/line-diff.ts";
import type { Payload } from "../../store/payload.ts";
import type { Store } from "../../store/store.ts";

type Captured = Payload<"workspace">;

/** A file that two captured states do not have alike: added, deleted or modified from the first to the second. */
export type FileBetween = {
  path: string;
  status: "A" | "D" | "M";
  /** Lines; null where they cannot be counted: bytes that are no text, or a commit that is not here. */
  added: number | null;
  removed: number | null;
};

/** Reads a file of a commit; undefined: it is not there, null: nobody knows here. */
export type BaseFile = (
  place: { repository: string; commit: string },
  path: string,
) => Promise<Uint8Array | undefined | null>;

type Side = { kind: "absent" } | { kind: "unknown" } | { kind: "there"; mode: string | null; bytes: Buffer };

/** The files that differ among those that either state has changed against its commit. */
export const filesBetween = async (
  { store, baseFile }: { store: Pick<Store, "load">; baseFile: BaseFile },
  a: Captured,
  b: Captured,
): Promise<FileBetween[]> => {
  const paths = [...new Set([...a.files, ...b.files].map(({ path }) => path))].sort();
  const found: FileBetween[] = [];
  for (const path of paths) {
    const [inA, inB] = [a, b].map(({ files }) => files.find((file) => file.path === path));
    if (inA !== undefined && inA.content === inB?.content && inA.mode === inB.mode) continue;
    const sides = await Promise.all(
      [a, b].map((state, index) =>
        sideOf({ store, baseFile }, state, { path, file: index === 0 ? inA : inB }),
      ),
    );
    const [left, right] = sides;
    if (left === undefined || right === undefined) continue;
    const between = compare(left, right);
    if (between !== null) found.push({ path, ...between });
  }
  return found;
};

const sideOf = async (
  { store, baseFile }: { store: Pick<Store, "load">; baseFile: BaseFile },
  { repository, base }: Captured,
  { path, file }: { path: string; file: Captured["files"][number] | undefined },
): Promise<Side> => {
  if (file === undefined) {
    const bytes = await baseFile({ repository, commit: base }, path);
    if (bytes === null) return { kind: "unknown" };
    return bytes === undefined
      ? { kind: "absent" }
      : { kind: "there", mode: null, bytes: Buffer.from(bytes) };
  }
  if (file.content === null) return { kind: "absent" };
  return { kind: "there", mode: file.mode, bytes: await bytesOf(store, file.content) };
};

const bytesOf = async (store: Pick<Store, "load">, hash: Hash): Promise<Buffer> => {
  const { encoding, text } = await store.load("text", hash);
  return Buffer.from(text, encoding);
};

const compare = (a: Side, b: Side): Omit<FileBetween, "path"> | null => {
  if (a.kind === "absent" && b.kind === "absent") return null;
  const status = a.kind === "absent" ? "A" : b.kind === "absent" ? "D" : "M";
  if (a.kind === "unknown" || b.kind === "unknown") return { status, added: null, removed: null };
  const [before, after] = [a, b].map((side) => (side.kind === "there" ? side.bytes : Buffer.alloc(0)));
  if (before === undefined || after === undefined) return null;
  const sameMode =
    a.kind !== "there" || b.kind !== "there" || a.mode === null || b.mode === null || a.mode === b.mode;
  if (status === "M" && sameMode && before.equals(after)) return null;
  if (before.includes(0) || after.includes(0)) return { status, added: null, removed: null };
  return { status, ...lineCounts(lineDiff(before.toString("utf8"), after.toString("utf8"))) };
};
