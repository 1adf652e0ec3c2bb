import { isDeepStrictEqual } from "node:util";
import { LONGEST_ESCAPE } from "./escapes.ts";
import type { SecretForm } from "./secret-forms.ts";
import { type TextLayer, textLayers } from "./text-layers.ts";

/** Where a form stands in the text that a layer was made of. */
export type Found = { from: number; to: number; isBase64: boolean };

export type FormIndex = {
  add(form: SecretForm): void;
  /** Every place of every form, in one pass over the layer however many forms there are. */
  find(layer: TextLayer): Found[];
  /** Of the text with so many characters that the layer was made of, how many at its end are the beginning of a form. */
  begun(layer: TextLayer, length: number): number;
  /** Characters that a form may take, each of them escaped. */
  longest(): number;
};

/** `mayBeInPieces`: so long as it is written that no letters of two words make it by chance. */
type Form = { units: Uint16Array; isBase64: boolean; mayBeInPieces: boolean };

/** Forms are found by their last units: how tokens of one kind begin is no secret, and stands in many. */
const WINDOW = 6;
/** Five bits for each unit of the window: older ones are shifted out. */
const HASH_BITS = 5;
const HASH_MASK = 2 ** (WINDOW * HASH_BITS) - 1;
const FILTER_BITS = 18;
/** Shorter forms have to stand in one piece: letters of two words would make one by chance. */
const SHORTEST_IN_PIECES = 12;

/** Beginnings are found by so many units, or by all that there are at the text's end. */
const START = 4;

export const SHORTEST_FORM = WINDOW;

export const formIndex = (): FormIndex => {
  const byEnd = new Map<number, Form[]>();
  const byStart = new Map<string, Form[]>();
  let longest = 0;
  const filter = new Uint8Array(2 ** FILTER_BITS);
  const remember = (form: Form): void => {
    const hash = form.units.subarray(-WINDOW).reduce(rolled, 0);
    const there = byEnd.get(hash) ?? [];
    if (there.some((other) => isDeepStrictEqual(other, form))) return;
    byEnd.set(hash, [...there, form]);
    filter[filterBit(hash)] = 1;
    for (let length = 1; length <= START; length++) {
      const start = String.fromCharCode(...form.units.subarray(0, length));
      const forms = byStart.get(start) ?? [];
      // Of so few units the text has no more: they alone decide.
      if (length === START || forms.length === 0) byStart.set(start, [...forms, form]);
    }
    longest = Math.max(longest, form.units.length);
  };
  return {
    /** Also as the deeper layers of a text have it: a secret may hold what reads as an escape. */
    add: ({ text, isBase64 }) => {
      for (const layer of textLayers(text)) {
        const units = layer.units.slice(0, layer.length);
        if (units.length >= WINDOW)
          remember({ units, isBase64, mayBeInPieces: text.length >= SHORTEST_IN_PIECES });
      }
    },
    find: (layer) => {
      const found: Found[] = [];
      let hash = 0;
      for (let end = 0; end < layer.length; end++) {
        hash = rolled(hash, layer.units[end] ?? 0);
        if (filter[filterBit(hash)] === 0) continue;
        for (const form of byEnd.get(hash) ?? []) {
          const begin = end + 1 - form.units.length;
          if (standsAt(layer, form, begin)) found.push(placeOf(layer, form, begin));
        }
      }
      return found;
    },
    begun: (layer, length) => {
      for (let at = 0; at < layer.length; at++) {
        const end = Math.min(at + START, layer.length);
        const start = String.fromCharCode(...layer.units.subarray(at, end));
        const isBeginning = byStart.get(start)?.some((form) => endsWithin(layer, form, at));
        if (isBeginning) return length - (layer.from[at] ?? 0);
      }
      return 0;
    },
    longest: () => longest * LONGEST_ESCAPE,
  };
};

const rolled = (hash: number, unit: number): number => ((hash << HASH_BITS) ^ unit) & HASH_MASK;

const filterBit = (hash: number): number => (hash ^ (hash >>> 12)) & (2 ** FILTER_BITS - 1);

const standsAt = (layer: TextLayer, { units, mayBeInPieces }: Form, begin: number): boolean => {
  for (let at = units.length - 1; at >= 0; at--) if (layer.units[begin + at] !== units[at]) return false;
  return mayBeInPieces || isInOnePiece(layer, begin, units.length);
};

/** Whether the layer ends, from there on, in the middle of the form. */
const endsWithin = (layer: TextLayer, { units }: Form, begin: number): boolean => {
  const length = layer.length - begin;
  if (length >= units.length) return false;
  for (let at = 0; at < length; at++) if (layer.units[begin + at] !== units[at]) return false;
  return true;
};

const isInOnePiece = ({ from, to }: TextLayer, begin: number, length: number): boolean => {
  for (let at = begin + 1; at < begin + length; at++) if (from[at] !== to[at - 1]) return false;
  return true;
};

const placeOf = ({ from, to }: TextLayer, { units, isBase64 }: Form, begin: number): Found => ({
  from: from[begin] ?? 0,
  to: to[begin + units.length - 1] ?? 0,
  isBase64,
});
