import { describe, expect, it } from "vitest";
import { AppError } from "../../../../src/base/errors.ts";
import { targetOf } from "../../../../src/store/postgres/target.ts";

const target = (url: string) => targetOf(url, { lockMs: 4_000 });
const parametersOf = (url: string) =>
  Object.fromEntries(new URL(target(url).connectionString).searchParams) as Record<string, string>;

describe("targetOf", () => {
  it.each([
    ["postgres://uwf:secret@db.example.org:6432/team", "team on db.example.org:6432"],
    ["postgresql://uwf:secret@db.example.org/team", "team on db.example.org"],
    ["postgresql:///team", "team on this machine"],
    ["postgresql:///team?host=/run/postgresql", "team on /run/postgresql"],
    ["postgresql://uwf:secret@%2Frun%2Fpostgresql/team", "team on /run/postgresql"],
    ["postgresql://uwf:secret@[::1]:5433/my%20team", "my team on [::1]:5433"],
  ])("names the place of %s without user and password", (url, name) => {
    expect(target(url).name).toBe(name);
  });

  it.each([
    "mysql://uwf:secret@db/team",
    "db.example.org",
    "postgres://uwf:sec/ret@db:port/team",
    "postgresql://uwf:secret@db",
    "postgres://uwf:secret@db/100%",
    "",
  ])("refuses %j, and repeats nothing of it", (url) => {
    const refused = () => target(url);

    expect(refused).toThrow(AppError);
    expect(refused).toThrow(expect.objectContaining({ code: "store-unreachable", remedy: "fix-config" }));
    expect(refused).not.toThrow(/sec/);
  });

  it("has TLS as libpq has it, unless the URL says otherwise", () => {
    expect(parametersOf("postgres://db/team?sslmode=require")).toMatchObject({ uselibpqcompat: "true" });
    expect(parametersOf("postgres://db/team?sslmode=require&uselibpqcompat=false")).toMatchObject({
      uselibpqcompat: "false",
    });
    expect(parametersOf("postgres://db/team")).not.toHaveProperty("uselibpqcompat");
  });

  it("adds its settings to those of the URL", () => {
    const { options } = parametersOf("postgres://db/team?options=-c%20work_mem%3D8MB");

    expect(options).toMatch(/^-c work_mem=8MB -c .*lock_timeout=4000$/);
  });
});
