import { afterEach, beforeEach, describe } from "vitest";
import { bringingContract } from "./queue/bringing.contract.ts";
import { closingContract } from "./queue/closing.contract.ts";
import { failingContract } from "./queue/failing.contract.ts";
import { orderContract } from "./queue/order.contract.ts";
import { type ContractQueue, type Rig, rigOver } from "./queue/rig.ts";

/** What every adapter of the `Queue` port must do. `makeQueue` gives one over a new, empty store. */
export const queueContract = (name: string, makeQueue: () => Promise<ContractQueue>): void => {
  describe(`${name} keeps the queue's contract`, () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = rigOver(await makeQueue());
    });
    afterEach(() => rig.dispose());

    describe("bringing", () => bringingContract(() => rig));
    describe("order", () => orderContract(() => rig));
    describe("failing", () => failingContract(() => rig));
    describe("closing", () => closingContract(() => rig));
  });
};
