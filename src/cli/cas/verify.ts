import { shortHash } from "../../base/ids.ts";
import type { Damage } from "../../store/store.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { counted } from "../format.ts";
import { printJson } from "../print.ts";
import { readStore } from "../store-session.ts";
import { styleFor } from "../style.ts";
import { plainLine } from "../terminal-text.ts";

export const command = defineCommand({
  description:
    "Recomputes the hash of every node and looks for everything that they refer to. Exits 1 on damage.",
  arguments: {},
  options: { json: jsonOption },
  examples: ["uwf cas verify"],
  run: ({ options }, context) =>
    readStore(context, async (store) => {
      const style = await styleFor(context.stdout, context);
      const damages: Damage[] = [];
      for await (const damage of store.verify()) {
        damages.push(damage);
        if (options.json) continue;
        context.stdout.write(`${style.red("✗")} ${shortHash(damage.hash)} ${plainLine(damage.problem)}\n`);
      }
      const nodes = new Set(damages.map(({ hash }) => hash)).size;
      if (options.json) printJson(context, { damaged: nodes, problems: damages });
      else if (nodes === 0) context.stdout.write(`${style.green("✓")} Every node is whole.\n`);
      else
        context.stdout.write(`${counted(damages.length, "problem")} in ${counted(nodes, "damaged node")}.\n`);
      return nodes === 0 ? exitCodes.done : exitCodes.failed;
    }),
});
