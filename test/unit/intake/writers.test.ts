import { describe, expect, it } from "vitest";
import type { Permission } from "../../../src/forge/forge.ts";
import { writersAmong } from "../../../src/intake/writers.ts";

const PERMISSIONS: Readonly<Record<string, Permission>> = {
  ann: "admin",
  wes: "write",
  "helper[bot]": "write",
  rea: "read",
};

const among = async (...logins: string[]) => {
  const asked: string[] = [];
  const permission = async (login: string): Promise<Permission> => {
    asked.push(login);
    return PERMISSIONS[login] ?? "none";
  };
  return { writers: [...(await writersAmong({ permission }, logins))], asked };
};

describe("writersAmong", () => {
  it("names those who may write, and asks the forge about each once", async () => {
    expect(await among("wes", "rea", "ann", "eve", "wes")).toEqual({
      writers: ["wes", "ann"],
      asked: ["wes", "rea", "ann", "eve"],
    });
  });

  it("asks about no bot, and about nobody who has no name", async () => {
    expect(await among("helper[bot]", "")).toEqual({ writers: [], asked: [] });
  });
});
