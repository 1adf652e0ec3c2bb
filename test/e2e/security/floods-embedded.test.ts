import { describe } from "vitest";
import { floodContract } from "./floods.contract.ts";

describe("a flood at one process", () => floodContract("embedded"));
