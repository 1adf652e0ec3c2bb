import { z } from "zod";
import { readEntry, readInternal } from "../workspace/network/entry.ts";

const MOST_ENTRIES = 100;
const LONGEST = 300;

const entries = (accepts: (text: string) => boolean) =>
  z
    .array(
      z
        .string()
        .max(LONGEST)
        .superRefine((text, context) => {
          const read = readEntry(text);
          if (read.kind === "wrong" && !accepts(text))
            context.addIssue({ code: "custom", message: read.problem });
        }),
    )
    .max(MOST_ENTRIES);

/** What a repository asks for. */
export const RepositoryNetwork = entries(() => false);

/** What an operator allows; `*`: whatever this machine can. */
export const Network = entries((text) => text === "*");

/** What an operator allows also where it is private. */
export const InternalNetwork = z
  .array(
    z
      .string()
      .max(LONGEST)
      .refine((text) => readInternal(text) !== null, "must be one host and port, such as 127.0.0.1:11434"),
  )
  .max(MOST_ENTRIES);
