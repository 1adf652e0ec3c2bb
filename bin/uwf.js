#!/usr/bin/env node
import { launch } from "./launch.js";

await launch(import.meta.url, async () => {
  const { runProgram } = await import("../src/cli/main.ts");
  await runProgram();
});
