import { sizeText } from "../binary.ts";
import { terminalText } from "../terminal-text.ts";

/** A piece of what a tool of a server answers, as far as it is read. */
export type Content =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType?: string | undefined } & Held }
  | { type: "resource_link"; uri: string; name: string; description?: string | undefined };

type Held = { text: string } | { blob: string };

/** What a model is told: texts as they are, of everything else that it was there. */
export const answerText = (content: readonly Content[], structured: unknown): string => {
  const parts = content.map(partText);
  const said = structured !== undefined && parts.length === 0 ? [JSON.stringify(structured, null, 2)] : parts;
  return terminalText(said.join("\n")).replace(/(?<!\n)\n+$/, "");
};

const partText = (part: Content): string => {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
      return `[${part.type}, ${part.mimeType}, ${sizeText(bytesOf(part.data))}: it cannot be shown here]`;
    case "resource":
      return resourceText(part.resource);
    case "resource_link": {
      const about = part.description === undefined ? "" : `: ${part.description}`;
      return `[resource ${part.name}, ${part.uri}${about}]`;
    }
  }
};

const resourceText = (resource: { uri: string; mimeType?: string | undefined } & Held): string =>
  "text" in resource
    ? `[resource ${resource.uri}]\n${resource.text}`
    : `[resource ${resource.uri}, ${resource.mimeType ?? "binary"}, ${sizeText(bytesOf(resource.blob))}: it cannot be shown here]`;

const bytesOf = (base64: string): number => Math.floor((base64.length * 3) / 4);
