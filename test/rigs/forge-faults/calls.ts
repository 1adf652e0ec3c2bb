import type { ForgeRig } from "../forge-rig.ts";
import type { FaultyAnswer } from "../github/faults.ts";
import type { RigRequest } from "../github/http.ts";

/** A call that the bot makes in a story, and how many of its kind come before it. */
export type Call = { shape: string; before: number };

/** What the calls of one owner's repository have in common with those of another's. */
const shapeOf = ({ method, path, query, body }: RigRequest, owner: string): string => {
  const operation = /(?:query|mutation) (\w+)/.exec(
    path.endsWith("/graphql") ? body.toString("utf8") : "",
  )?.[1];
  const service = /service=([\w-]+)/.exec(query)?.[1];
  const about = path
    .replaceAll(`/${owner}/`, "/{owner}/")
    .replace(/\b[0-9a-f]{40}\b/g, "{commit}")
    .replace(/\/\d+(?=\/|$)/g, "/{n}");
  return [method, about, service, operation].filter((part) => part !== undefined).join(" ");
};

/** Notes the bot's calls in one owner's repository, until it is told to stop. */
export const recordCalls = (forge: ForgeRig, owner: string): { stop(): Call[] } => {
  const calls: Call[] = [];
  const seen = new Map<string, number>();
  let isOn = true;
  forge.fault({
    path: /^/,
    answer: "cut",
    when: (request) => {
      if (!isOn || !forge.isBots(request) || forge.ownerIn(request) !== owner) return false;
      const shape = shapeOf(request, owner);
      const before = seen.get(shape) ?? 0;
      seen.set(shape, before + 1);
      calls.push({ shape, before });
      return false;
    },
  });
  return {
    stop: () => {
      isOn = false;
      return calls;
    },
  };
};

/** Lets a call, and those like it that follow, go wrong in these ways. Answers how many did so far. */
export const breakCall = (
  forge: ForgeRig,
  owner: string,
  { call, answers }: { call: Call; answers: readonly FaultyAnswer[] },
): (() => number) => {
  let met = 0;
  let broken = 0;
  for (const [index, answer] of answers.entries())
    forge.fault({
      path: /^/,
      answer,
      when: (request) => {
        if (index !== broken || !forge.isBots(request) || forge.ownerIn(request) !== owner) return false;
        if (shapeOf(request, owner) !== call.shape || met++ < call.before) return false;
        broken++;
        return true;
      },
    });
  return () => broken;
};
