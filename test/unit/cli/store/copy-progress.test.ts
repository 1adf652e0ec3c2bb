import { expect, it } from "vitest";
import { copyProgress } from "../../../../src/cli/store/copy-progress.ts";
import { fakeOutput } from "../../../fixtures/fake-context.ts";

it("writes a line for each stage where nobody watches", () => {
  const stderr = fakeOutput();
  const progress = copyProgress({ stderr, now: () => 0 });

  progress.show("check", 0, null);
  progress.show("nodes", 200, null);
  progress.show("nodes", 400, null);
  progress.show("verify", 200, 400);
  progress.end();

  expect(stderr.text()).toBe("Checking every node.\nCopying nodes.\nReading back.\n");
});

it("writes one line anew on a terminal, now and then, and leaves none", () => {
  const stderr = fakeOutput({ isTerminal: true });
  let now = 1_000;
  const progress = copyProgress({ stderr, now: () => now });

  progress.show("check", 0, null);
  progress.show("nodes", 200, null);
  progress.show("nodes", 400, null);
  now += 200;
  progress.show("nodes", 600, null);
  progress.show("verify", 200, 800);
  progress.show("verify", 400, 800);
  progress.show("verify", 800, 800);
  progress.end();

  expect(stderr.text().split("\r\u001b[K").slice(1)).toEqual([
    "Checking every node …",
    "Copying nodes: 200 nodes …",
    "Copying nodes: 600 nodes …",
    "Reading back: 200 of 800 …",
    "Reading back: 800 nodes …",
    "",
  ]);
});

it("leaves the terminal alone when nothing was said", () => {
  const stderr = fakeOutput({ isTerminal: true });

  copyProgress({ stderr, now: () => 0 }).end();

  expect(stderr.text()).toBe("");
});
