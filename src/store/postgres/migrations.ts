import { admission } from "./version-1/admission.ts";
import { collection } from "./version-1/collection.ts";
import { pointers } from "./version-1/pointers.ts";
import { putNodes } from "./version-1/put-nodes.ts";
import { reservations } from "./version-1/reservations.ts";
import { tables } from "./version-1/tables.ts";
import { threads } from "./version-1/threads.ts";
import { sessions } from "./version-2/sessions.ts";
import { lines } from "./version-3/lines.ts";

/**
 * The schema, one entry per version; the table `uwf_version` says how many have run. Everything is named as in the schema
 * uwf. Entries are never edited once released, only added.
 */
export const migrations: readonly string[] = [
  `${tables}${putNodes}${pointers}${threads}${admission}${reservations}${collection}`,
  sessions,
  lines,
];
