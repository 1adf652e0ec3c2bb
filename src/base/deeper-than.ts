/** Whether values lie in each other deeper than so many levels. Takes no stack, however deep they lie. */
export const deeperThan = (value: unknown, levels: number): boolean => {
  let here: unknown[] = [value];
  for (let level = 0; level <= levels; level++) {
    here = here.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (here.length === 0) return false;
  }
  return true;
};
