import type { Context, Output } from "./context.ts";

type Paint = (text: string) => string;
export type Style = { bold: Paint; dim: Paint; red: Paint; green: Paint; yellow: Paint; cyan: Paint };

const same: Paint = (text) => text;
export const plainStyle: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** Colours for a terminal, unless the person wants none (https://no-color.org). */
export const styleFor = async (output: Output, { env }: Pick<Context, "env">): Promise<Style> => {
  if (!output.isTerminal || (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb") return plainStyle;
  const { default: picocolors } = await import("picocolors");
  return picocolors.createColors(true);
};
