import { escapeAt } from "./escapes.ts";

/**
 * A text, or what it reads as once something is taken out of it: its UTF-16 units, and which part of the text each stands for, from
 * `from` up to `to`.
 */
export type TextLayer = { length: number; units: Uint16Array; from: Int32Array; to: Int32Array };

/** Escapes within escapes, such as JSON in a JSON string that stands in an address. */
const DEEPEST = 2;

/**
 * The text without what nobody sees (control and zero-width characters, terminal sequences, line ends with the indent after them); then
 * the same with escapes of addresses, JSON, shells and HTML read, and once more. Layers that say nothing new are left out.
 */
export const textLayers = (text: string): TextLayer[] => {
  const layers = [compact(layerOf(text))];
  for (let depth = 0; depth < DEEPEST; depth++) {
    const last = layers.at(-1);
    const read = last === undefined ? null : unescaped(last);
    if (read === null) break;
    layers.push(compact(read));
  }
  return layers;
};

const layerOf = (text: string): TextLayer => {
  const layer = emptyLayer(text.length);
  for (let at = 0; at < text.length; at++) push(layer, text.charCodeAt(at), at, at + 1);
  return layer;
};

const emptyLayer = (size: number): TextLayer => ({
  length: 0,
  units: new Uint16Array(size),
  from: new Int32Array(size),
  to: new Int32Array(size),
});

const push = (layer: TextLayer, unit: number, from: number, to: number): void => {
  layer.units[layer.length] = unit;
  layer.from[layer.length] = from;
  layer.to[layer.length] = to;
  layer.length++;
};

const ESCAPE = 0x1b;
const LINE_FEED = 0x0a;

const compact = (layer: TextLayer): TextLayer => {
  const { units, from, to, length } = layer;
  const left = emptyLayer(length);
  for (let at = 0; at < length; at++) {
    const unit = unitAt(units, at);
    const hidden = hiddenFrom(layer, at);
    if (hidden === 0) push(left, unit, from[at] ?? 0, to[at] ?? 0);
    else at += hidden - 1;
  }
  return left;
};

/** How many units from here on nobody sees; 0 when the one here is seen. */
const hiddenFrom = (layer: TextLayer, at: number): number => {
  const unit = unitAt(layer.units, at);
  if (unit === ESCAPE) return sequenceLength(layer, at);
  if (unit === LINE_FEED) return 1 + indentLength(layer, at + 1);
  if (unit < 0x20 || unit === 0x7f) return 1;
  if (unit === 0x3d || unit === 0x5c) return softBreakLength(layer, at);
  if (unit < 0xad) return 0;
  if (unit === 0xdb40) return 2;
  return isZeroWidth(unit) ? 1 : 0;
};

/** `ESC [ … letter`; of other sequences the two units that all have. */
const sequenceLength = ({ units, length }: TextLayer, at: number): number => {
  if (unitAt(units, at + 1) !== 0x5b) return 1;
  let end = at + 2;
  while (end < length && unitAt(units, end) >= 0x20 && unitAt(units, end) < 0x40) end++;
  return end - at + 1;
};

const indentLength = ({ units, length }: TextLayer, at: number): number => {
  let end = at;
  while (end < length && (unitAt(units, end) === 0x20 || unitAt(units, end) === 0x09)) end++;
  return end - at;
};

/** A mail's `=` and a shell's `\` before a line end say that the line goes on. */
const softBreakLength = ({ units }: TextLayer, at: number): number => {
  const next = unitAt(units, at + 1);
  return next === LINE_FEED || (next === 0x0d && unitAt(units, at + 2) === LINE_FEED) ? 1 : 0;
};

const isZeroWidth = (unit: number): boolean =>
  unit === 0xad ||
  unit === 0x34f ||
  unit === 0x61c ||
  unit === 0x180e ||
  (unit >= 0x200b && unit <= 0x200f) ||
  (unit >= 0x2028 && unit <= 0x202e) ||
  (unit >= 0x2060 && unit <= 0x206f) ||
  (unit >= 0xfe00 && unit <= 0xfe0f) ||
  unit === 0xfeff;

/** Null where there is no escape. */
const unescaped = (layer: TextLayer): TextLayer | null => {
  const { units, from, to, length } = layer;
  const read = emptyLayer(length);
  let found = false;
  for (let at = 0; at < length; at++) {
    const code = escapeAt(units, at, length);
    if (code === null) push(read, unitAt(units, at), from[at] ?? 0, to[at] ?? 0);
    else {
      found = true;
      const end = at + code.length - 1;
      push(read, code.unit, from[at] ?? 0, to[end] ?? 0);
      at = end;
    }
  }
  return found ? read : null;
};

const unitAt = (units: Uint16Array, at: number): number => units[at] ?? 0;
