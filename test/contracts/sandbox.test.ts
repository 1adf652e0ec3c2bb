import { bubblewrapSandbox } from "../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { noSandbox } from "../../src/workspace/sandbox/no-sandbox.ts";
import { bubblewrapIsHere } from "../fixtures/bubblewrap.ts";
import { sandboxContract } from "./sandbox.contract.ts";

sandboxContract("noSandbox", noSandbox(), { skip: false });
sandboxContract("bubblewrapSandbox", bubblewrapSandbox({ memoryMb: 2048, processes: 256 }), {
  skip: !bubblewrapIsHere(),
});
