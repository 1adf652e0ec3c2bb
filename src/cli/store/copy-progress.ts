import type { CopyStage, Progress } from "../../store/copy/side.ts";
import type { Context } from "../context.ts";
import { counted } from "../format.ts";

const says: Record<CopyStage, string> = {
  check: "Checking every node",
  compare: "Comparing what is there already",
  nodes: "Copying nodes",
  records: "Copying threads, workflows, deliveries and reserved money",
  verify: "Reading back",
};

/** A terminal's line is written anew this often at most. */
const REDRAW_MS = 200;

/** A line on standard error for each stage; a terminal's says how far it is. */
export const copyProgress = ({
  stderr,
  now,
}: Pick<Context, "stderr" | "now">): { show: Progress; end(): void } => {
  let last: CopyStage | undefined;
  let drawnAt = 0;
  return {
    show: (stage, nodes, total) => {
      const isNew = stage !== last;
      last = stage;
      if (!stderr.isTerminal) {
        if (isNew) stderr.write(`${says[stage]}.\n`);
        return;
      }
      if (!isNew && now() - drawnAt < REDRAW_MS && nodes !== total) return;
      drawnAt = now();
      const of = total === null || total === nodes ? "" : ` of ${total}`;
      const far = nodes === 0 ? "" : `: ${of === "" ? counted(nodes, "node") : `${nodes}${of}`}`;
      stderr.write(`\r\u001b[K${says[stage]}${far} …`);
    },
    end: () => {
      if (stderr.isTerminal && last !== undefined) stderr.write("\r\u001b[K");
    },
  };
};
