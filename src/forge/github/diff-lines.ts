/** The lines of the new file that a patch of GitHub's shows: those are the ones that can be commented on. */
export const shownLines = (patch: string): ReadonlySet<number> => {
  const lines = new Set<number>();
  let next = 0;
  for (const text of patch.split("\n")) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text)?.[1];
    if (start !== undefined) next = Number(start);
    else if (text.startsWith("+") || text.startsWith(" ")) lines.add(next++);
  }
  return lines;
};
