/** Joins the control groups whose files come first in the arguments, up to `--`, and takes them off the arguments. */
export const JOIN = `while [ "$1" != -- ]; do
  echo 0 >"$1"
  shift
done
shift`;

/** What goes before a command so that it runs in these control groups; nothing when there are none. */
export const joining = (entrances: readonly string[]): string[] =>
  entrances.length === 0 ? [] : ["/bin/sh", "-c", `set -e\n${JOIN}\nexec "$@"`, "sh", ...entrances, "--"];
