import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { shownMarkdown } from "../src/forge/text/shown/shown-text.ts";
import { alternate, atMost, ms, type Row, timed } from "./measurement.ts";

const SIZE = 1024 * 1024;
const ROUNDS = 20;
const MOST_MS = 50;
const MOST_PAUSE_MS = 100;

/** 1 MB of Markdown of this project's own, with a comment now and then, as people see it; and how long nothing else could run. */
export const shownText = async (): Promise<Row[]> => {
  const pages = ["../README.md", "../ARCHITECTURE.md", "../docs/commands.md"].map((path) =>
    readFileSync(new URL(path, import.meta.url), "utf8"),
  );
  const text = `${pages.join("\n\n<!-- a comment -->\n\n")}\n`.repeat(200).slice(0, SIZE);
  await shownMarkdown(text);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const shown = async (): Promise<number> => {
    const taken = await timed(() => shownMarkdown(text));
    // The loop turns, and sees how long it stood.
    await setTimeout(5);
    return taken;
  };
  const medians = await alternate({ shown }, { rounds: ROUNDS, warmUp: 5 });
  delay.disable();
  const pause = delay.max / 1e6;
  return [
    {
      measured: "1 MB of Markdown as people see it (65,536 characters are read)",
      uwf: ms(medians.shown),
      beside: "",
      result: ms(medians.shown),
      goal: atMost(medians.shown, MOST_MS, ms(MOST_MS)),
    },
    {
      measured: "The longest pause of the event loop meanwhile",
      uwf: ms(pause),
      beside: "",
      result: ms(pause),
      goal: atMost(pause, MOST_PAUSE_MS, ms(MOST_PAUSE_MS)),
    },
  ];
};
