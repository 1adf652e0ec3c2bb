/** Markup that is safe to send. */
export type Html = { readonly html: string };

/** A template whose texts are escaped; nested markup stays. */
export const html = (
  strings: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html => ({
  html: strings.reduce((text, piece, at) => `${text}${markup(values[at - 1] ?? "")}${piece}`),
});

const markup = (value: string | Html | readonly Html[]): string => {
  if (typeof value === "string") return escaped(value);
  return "html" in value ? value.html : value.map((each) => each.html).join("\n");
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
