import { expect, it } from "vitest";
import type { Connection } from "../../../../src/store/postgres/connection.ts";
import { prepareSchema } from "../../../../src/store/postgres/open.ts";

it("refuses a server older than 15 by its name and version, and asks it for nothing else", async () => {
  const asked: string[] = [];
  const old = {
    name: "team on db",
    schema: "uwf",
    query: async ({ name }: { name: string }) => {
      asked.push(name);
      return [{ server: 140_011, is_there: false }];
    },
  } as unknown as Connection;

  const preparing = prepareSchema(old);

  await expect(preparing).rejects.toMatchObject({ code: "store-unreachable", remedy: "fix-config" });
  await expect(preparing).rejects.toThrow("team on db is PostgreSQL 14, which is too old");
  expect(asked).toEqual(["server"]);
});
