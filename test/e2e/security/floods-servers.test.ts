import { describe } from "vitest";
import { postgresIsHere } from "../../rigs/postgres-server.ts";
import { redisIsHere } from "../../rigs/redis-server.ts";
import { floodContract } from "./floods.contract.ts";

describe.skipIf(!postgresIsHere() || !redisIsHere())(
  "a flood at two processes with PostgreSQL and Redis",
  () => floodContract("servers"),
);
