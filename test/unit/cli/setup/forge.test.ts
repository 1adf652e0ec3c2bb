import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { askForForge, forgeFrom } from "../../../../src/cli/setup/forge.ts";
import { openTerminal } from "../../../../src/cli/setup/terminal.ts";
import { fakeContext } from "../../../fixtures/fake-context.ts";

/** Somebody who types the next answer whenever the screen ends with a question. */
const typing = (answers: readonly string[]) => {
  const context = fakeContext();
  const stdin = new PassThrough();
  const left = [...answers];
  const write = context.stdout.write;
  context.stdout.write = (text) => {
    write(text);
    if (text.endsWith(": ") && left.length > 0) setImmediate(() => stdin.write(`${left.shift()}\n`));
  };
  return { ...context, stdin };
};

it("asks for the forge until it is one, and takes none on Enter", async () => {
  const context = typing(["gitlab", "forgejo"]);

  expect(await askForForge(context)).toBe("forgejo");
  expect(context.stdout.text()).toContain("One of the three, please.\n");
  expect(await askForForge(typing([""]))).toBe("none");
});

it("takes what --forge says", () => {
  expect([forgeFrom(undefined), forgeFrom("github")]).toEqual([undefined, "github"]);
  expect(() => forgeFrom("GitHub")).toThrow('option --forge must be github, forgejo, none, not "GitHub"');
});

it("shows nothing of what is typed in secret", async () => {
  const context = typing(["hush-hush", "seen"]);
  const terminal = openTerminal(context);

  const answers = [await terminal.askHidden("Token: "), await terminal.ask("Name: ")];
  terminal.close();

  expect(answers).toEqual(["hush-hush", "seen"]);
  expect(context.stdout.text()).not.toContain("hush");
  expect(context.stdout.text()).toContain("seen");
});
