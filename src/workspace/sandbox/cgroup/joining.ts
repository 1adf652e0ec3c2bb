/** Joins the control groups whose files come first in the arguments, up to `--`, and runs the rest. */
const SCRIPT = `set -e
while [ "$1" != -- ]; do
  echo 0 >"$1"
  shift
done
shift
exec "$@"`;

/** What goes before a command so that it runs in these control groups; nothing when there are none. */
export const joining = (entrances: readonly string[]): string[] =>
  entrances.length === 0 ? [] : ["/bin/sh", "-c", SCRIPT, "sh", ...entrances, "--"];
