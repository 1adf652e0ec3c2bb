import { forgeFaultContract } from "./forge.contract.ts";

forgeFaultContract("github");
