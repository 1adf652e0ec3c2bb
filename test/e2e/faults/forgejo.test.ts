import { forgeFaultContract } from "./forge.contract.ts";

forgeFaultContract("forgejo");
