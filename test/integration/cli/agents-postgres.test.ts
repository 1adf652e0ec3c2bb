import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { uwfHome } from "../../fixtures/uwf-process.ts";
import { postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";

const PROGRAM = join(import.meta.dirname, "../../fixtures/kit-program-worker.ts");

const workflow = `version: 1
name: one
description: One role.
roles:
  worker:
    description: Works.
    systemPrompt: You work.
    schema: { type: object, properties: { status: { type: string } }, required: [status] }
moderator:
  - { from: $START, to: worker }
  - { from: worker, to: $END }
`;

describe.skipIf(!postgresIsHere())("an agent that stores its step in PostgreSQL", () => {
  it("finds the database where uwf has it", async () => {
    const server = await postgresServer();
    const home = uwfHome();
    try {
      const env = { DATABASE_URL: await server.database() };
      writeFileSync(join(home.cwd, "one.yaml"), workflow);
      const agent = `worker=${process.execPath} ${PROGRAM} right`;
      const start = ["thread", "start", "one.yaml", "--input", "Do it.", "--agent", agent, "--json"];
      const started = await home.uwf(start, { env });
      expect(started.stderr).toBe("");
      const { id } = JSON.parse(started.stdout) as { id: string };

      const { stdout } = await home.uwf(["thread", "run", id, "--json"], { env });

      expect(JSON.parse(stdout)).toMatchObject({ status: "completed", usage: { costUsd: 0.5 } });
    } finally {
      home.dispose();
      await server.dispose();
    }
  });
});
