import { mkdirSync, writeFileSync } from "node:fs";
import { generatedFiles, root } from "./files.ts";

for (const { path, text } of generatedFiles()) {
  const file = new URL(path, root);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, text);
  console.log(path);
}
