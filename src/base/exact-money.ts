/** US dollars where it matters how many: in cents from one cent on, in two digits below; `$5.00`, `$0.003`. */
export const exactMoney = (usd: number): string => {
  if (usd <= 0 || usd >= 0.01) return `$${usd.toFixed(2)}`;
  const digits = Math.min(20, 1 - Math.floor(Math.log10(usd)));
  return `$${usd.toFixed(digits).replace(/0+$/, "")}`;
};
