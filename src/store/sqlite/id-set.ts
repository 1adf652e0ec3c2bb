/** A set of row ids that takes one bit for each id up to the greatest. */
export type IdSet = {
  add(id: number): void;
  delete(id: number): void;
  has(id: number): boolean;
  /** The greatest ones below `id`, the greatest first; at most `count`. */
  below(id: number, count: number): number[];
};

/** A set of ids from 1 to `greatest`. Greater ones are never in it. */
export const idSet = (greatest: number): IdSet => {
  const words = new Uint32Array((greatest >>> 5) + 1);
  const has = (id: number): boolean => ((words[id >>> 5] ?? 0) & (1 << (id & 31))) !== 0;
  const flip = (id: number): void => {
    words[id >>> 5] = (words[id >>> 5] ?? 0) ^ (1 << (id & 31));
  };
  return {
    has,
    add: (id) => {
      if (id <= greatest && !has(id)) flip(id);
    },
    delete: (id) => {
      if (has(id)) flip(id);
    },
    below: (id, count) => {
      const found: number[] = [];
      for (let next = Math.min(id, greatest + 1) - 1; next > 0 && found.length < count; next--) {
        if (has(next)) found.push(next);
        // The rest of an empty word.
        else if (words[next >>> 5] === 0) next -= next & 31;
      }
      return found;
    },
  };
};
