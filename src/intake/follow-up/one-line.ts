import { visible } from "../../forge/text/invisible.ts";

/** A name that somebody else gave, which may hold anything, as a part of one line. */
export const onOneLine = (name: string): string => visible(name).replace(/\s+/g, " ").trim();
