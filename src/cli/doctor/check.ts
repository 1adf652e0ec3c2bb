import { AppError, messageOf } from "../../base/errors.ts";

export type Check = {
  name: string;
  /** `optional`: not there, but much works without it. */
  state: "ok" | "missing" | "optional";
  detail: string;
  /** What to do about it. */
  hint: string | null;
};

/** It is there. */
export const ok = (name: string, detail: string): Check => ({ name, state: "ok", detail, hint: null });

/** What stands in the way, from what was thrown. */
export const failed = (name: string, error: unknown): Check => ({
  name,
  state: "missing",
  detail: messageOf(error),
  hint: error instanceof AppError ? (error.hint ?? null) : null,
});
