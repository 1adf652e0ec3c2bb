/** The text as the database can hold it: it has neither NUL nor halves of surrogate pairs; both become U+FFFD. */
export const storable = <T extends string | null>(text: T): T =>
  (typeof text === "string" ? text.toWellFormed().replaceAll("\0", "\uFFFD") : text) as T;
