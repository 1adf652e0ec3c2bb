import { readFileSync } from "node:fs";

// Preloaded into a process whose clock is to be wrong: by the milliseconds in a file, which may change at any time.
const file = process.env.SHIFTED_CLOCK ?? "";
let offset = 0;

const look = (): void => {
  offset = Number(readFileSync(file, "utf8"));
};

const RealDate = Date;
const now = (): number => RealDate.now() + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parts, made) => Reflect.construct(target, parts.length === 0 ? [now()] : parts, made),
  get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
});

look();
setInterval(look, 50).unref();
