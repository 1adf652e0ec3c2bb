/** So many comparisons take some hundredths of a second. Engines search in other ways that are faster mostly, and slower at worst. */
const MOST_COMPARED = 100_000_000;

/**
 * Where `wanted` stands in `text`, places that overlap too, in a time that grows with the texts, however alike their parts are
 * (Knuth, Morris, Pratt, Fast Pattern Matching in Strings, 1977). Nowhere when it is empty.
 */
export function* occurrences(text: string, wanted: string): Generator<number> {
  if (wanted === "") return;
  if (text.length * wanted.length <= MOST_COMPARED) {
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) yield at;
    return;
  }
  const borders = bordersOf(wanted);
  let same = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (same > 0 && (same === wanted.length || wanted.charCodeAt(same) !== unit))
      same = borders[same - 1] ?? 0;
    if (wanted.charCodeAt(same) === unit) same++;
    if (same === wanted.length) yield i + 1 - same;
  }
}

/** For each beginning of a text, how long the longest shorter one is that ends it. */
const bordersOf = (text: string): Int32Array => {
  const borders = new Int32Array(text.length);
  let same = 0;
  for (let i = 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (same > 0 && text.charCodeAt(same) !== unit) same = borders[same - 1] ?? 0;
    if (text.charCodeAt(same) === unit) same++;
    borders[i] = same;
  }
  return borders;
};
