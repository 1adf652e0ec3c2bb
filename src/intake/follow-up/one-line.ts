import { drawn } from "../../forge/text/invisible.ts";

/** A name that somebody else gave, which may hold anything, as a part of one line. */
export const onOneLine = (name: string): string => drawn(name).text.replace(/\s+/g, " ").trim();
