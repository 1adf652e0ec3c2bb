import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { html } from "../../../src/server/pages/html.ts";
import { isLoopback, readForm } from "../../../src/server/setup/form.ts";
import { setupSession } from "../../../src/server/setup/session.ts";

const given = { organisation: "acme", publicUrl: "https://uwf.example.org", name: "our uwf" };
const read = (fields: object, isPublic = true) => readForm({ ...given, ...fields }, { isPublic });

describe("the form that sets a server up", () => {
  it.each([
    [{}, given],
    [{ organisation: " " }, { ...given, organisation: null }],
    [
      { organisation: "", name: "" },
      { ...given, organisation: null, name: "uwf" },
    ],
    [{ name: "" }, { ...given, name: "uwf-acme" }],
    [
      { organisation: "a".repeat(29).concat("-bcdef"), name: "" },
      { ...given, organisation: `${"a".repeat(29)}-bcdef`, name: `uwf-${"a".repeat(29)}` },
    ],
    [
      { publicUrl: " https://Example.org:8443/uwf// " },
      { ...given, publicUrl: "https://example.org:8443/uwf" },
    ],
  ])("takes %j", (fields, form) => {
    expect(read(fields)).toEqual({ kind: "form", form });
  });

  it.each([
    [{ organisation: "acme/parser" }, "The organisation is its name"],
    [{ organisation: "../settings" }, "The organisation is its name"],
    [{ publicUrl: "" }, "like https://uwf.example.org"],
    [{ publicUrl: "uwf.example.org" }, "like https://uwf.example.org"],
    [{ publicUrl: "javascript:alert(1)" }, "like https://uwf.example.org"],
    [{ publicUrl: "https://me:secret@example.org" }, "a user, a query or a fragment"],
    [{ publicUrl: "https://example.org/?a=1" }, "a user, a query or a fragment"],
    [{ publicUrl: "http://127.0.0.1:3000" }, "GitHub cannot reach 127.0.0.1"],
    [{ publicUrl: "http://localhost:3000" }, "GitHub cannot reach localhost"],
    [{ name: "n".repeat(35) }, "at most 34 characters"],
    [{ name: "ü" }, "at most 34 characters"],
  ])("refuses %j", (fields, problem) => {
    expect(read(fields)).toMatchObject({ kind: "problems", problems: [expect.stringContaining(problem)] });
  });

  it("lets an Enterprise Server on this machine reach this machine", () => {
    expect(read({ publicUrl: "http://127.0.0.1:3000" }, false)).toMatchObject({ kind: "form" });
  });

  it("reads whatever is sent, and never fails", () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        expect(["form", "problems"]).toContain(readForm(body, { isPublic: true }).kind);
      }),
    );
  });

  it.each(["localhost", "a.localhost", "127.8.0.1", "[::1]", "0.0.0.0"])(
    "knows %s for the machine",
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each(["github.com", "localhost.example.org", "128.0.0.1", "github.127.example"])(
    "does not take %s for the machine",
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

it("puts text into a page as text", () => {
  expect(html`<p title="${`"'>`}">${"<b>&"}${[html`<i>${"<"}</i>`, html`<hr>`]}</p>`.html).toBe(
    '<p title="&quot;&#39;&gt;">&lt;b&gt;&amp;<i>&lt;</i>\n<hr></p>',
  );
});

describe("a session of the set-up", () => {
  it("is given for the token, once, and known by its cookie alone", () => {
    const session = setupSession("t", { now: () => 0 });

    const [wrong, cookie, again] = [session.begin("x"), session.begin("t"), session.begin("t")];

    expect([wrong, again]).toEqual([null, null]);
    expect([cookie !== null && session.has(cookie), session.has("t"), session.has("")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("knows a state for an hour, until it is spent", () => {
    const clock = { ms: 0 };
    const session = setupSession("t", { now: () => clock.ms });
    const [one, other] = [session.newState(), session.newState()];

    session.spend(one);
    clock.ms = 3_599_999;
    const before = [one, other, "x"].map(session.knows);
    clock.ms++;

    expect([before, session.knows(other)]).toEqual([[false, true, false], false]);
  });
});
