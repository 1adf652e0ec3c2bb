#!/usr/bin/env node
import { launch } from "./launch.js";

await launch(import.meta.url, async () => {
  const { runBuiltinAgent } = await import("../src/kit/main.ts");
  await runBuiltinAgent();
});
