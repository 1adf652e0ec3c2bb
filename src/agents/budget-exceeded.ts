import { AppError } from "../base/errors.ts";

/** A role that did not get to its answer before a limit: the thread pauses, and a person judges. */
export const budgetExceeded = (role: string, reason: string): AppError =>
  new AppError(`The role "${role}" did not finish before its limit: ${reason}`, {
    code: "role-budget-exceeded",
    remedy: "fix-input",
    hint: "Raise the limit, or give the role a smaller task.",
  });
