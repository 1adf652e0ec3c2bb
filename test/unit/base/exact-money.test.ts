import { expect, it } from "vitest";
import { exactMoney } from "../../../src/base/exact-money.ts";

it.each([
  [0, "$0.00"],
  [5, "$5.00"],
  [0.01, "$0.01"],
  [1.239, "$1.24"],
  [0.003, "$0.003"],
  [0.0025, "$0.0025"],
  [0.004 - 0.003, "$0.001"],
  [0.00999, "$0.01"],
  [0.0000123, "$0.000012"],
])("writes %d dollars as %s", (usd, text) => {
  expect(exactMoney(usd)).toBe(text);
});
