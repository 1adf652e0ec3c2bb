import { afterEach, beforeEach, describe } from "vitest";
import { fixtureTime } from "../fixtures/nodes.ts";
import { admissionContract } from "./store/admission.contract.ts";
import { admissionModelContract } from "./store/admission-model.contract.ts";
import { advanceContract } from "./store/advance.contract.ts";
import { chainsContract } from "./store/chains.contract.ts";
import { collectionContract } from "./store/collection.contract.ts";
import { copyingContract } from "./store/copying.contract.ts";
import { fairnessContract } from "./store/fairness.contract.ts";
import { graphContract } from "./store/graph.contract.ts";
import { deliveriesContract, registryContract } from "./store/intake.contract.ts";
import { leasesContract } from "./store/leases.contract.ts";
import { nodesContract } from "./store/nodes.contract.ts";
import { reservationsContract } from "./store/reservations.contract.ts";
import type { MakeContractStore, Rig } from "./store/rig.ts";
import { sessionsContract } from "./store/sessions.contract.ts";
import { linksContract, threadsContract } from "./store/threads.contract.ts";
import { workersContract } from "./store/workers.contract.ts";

/** What every adapter of the `Store` port must do. `makeStore` gives a new, empty store. */
export const storeContract = (name: string, makeStore: MakeContractStore): void => {
  describe(`${name} keeps the store's contract`, () => {
    let rig: Rig;
    beforeEach(async () => {
      const clock = { now: fixtureTime };
      rig = { ...(await makeStore({ now: () => clock.now })), clock };
    });
    afterEach(() => rig.dispose());

    describe("nodes", () => nodesContract(() => rig));
    describe("chains", () => chainsContract(() => rig));
    describe("graph", () => graphContract(() => rig));
    describe("threads", () => threadsContract(() => rig));
    describe("advance", () => advanceContract(() => rig));
    describe("leases", () => leasesContract(() => rig));
    describe("registry", () => registryContract(() => rig));
    describe("deliveries", () => deliveriesContract(() => rig));
    describe("links", () => linksContract(() => rig));
    describe("money", () => reservationsContract(() => rig));
    describe("admission", () => admissionContract(() => rig));
    describe("admission, beside a model", () => admissionModelContract(() => rig));
    describe("fair order", () => fairnessContract(() => rig));
    describe("workers", () => workersContract(() => rig));
    describe("sessions", () => sessionsContract(() => rig));
    describe("collection", () => collectionContract(() => rig));
    describe("copying", () => copyingContract(() => rig));
  });
};
