import { describe, expect, it } from "vitest";
import { AppError } from "../../../../src/base/errors.ts";
import { kindOf, storeFailure } from "../../../../src/store/postgres/failure.ts";

const failed = (code: string, message = "said the database") => Object.assign(new Error(message), { code });

describe("a failure of the database", () => {
  it.each([
    ["40001", "rival"],
    ["40P01", "rival"],
    ["55P03", "rival"],
    ["08006", "lost"],
    ["53300", "lost"],
    ["57P01", "lost"],
    ["57P02", "lost"],
    ["57P03", "lost"],
    ["ECONNREFUSED", "lost"],
    ["EAI_AGAIN", "lost"],
    ["23505", "final"],
    ["28P01", "final"],
    ["57014", "final"],
    ["UW001", "final"],
  ])("%s is %s", (code, kind) => {
    expect(kindOf(failed(code))).toBe(kind);
  });

  it.each([
    "Connection terminated unexpectedly",
    "Connection terminated due to connection timeout",
    "timeout exceeded when trying to connect",
    "The database keeps silent",
    "Client has encountered a connection error and is not queryable",
  ])("%j is a lost connection", (message) => {
    expect(kindOf(new Error(message))).toBe("lost");
  });

  it("of several addresses is a lost connection when all are, and names one", () => {
    const refused = failed("ECONNREFUSED", "connect ECONNREFUSED ::1:5432");

    expect(kindOf(new AggregateError([refused, failed("ECONNREFUSED")]))).toBe("lost");
    expect(kindOf(new AggregateError([refused, new TypeError("a bug")]))).toBe("final");
  });

  it.each([
    ["53100", "store-full"],
    ["58030", "store-io"],
    ["25006", "store-readonly"],
    ["XX001", "store-corrupt"],
    ["28P01", "store-unreachable"],
    ["3D000", "store-unreachable"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "store-unreachable"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "store-unreachable"],
  ])("%s is told as %s, with the place and what was said", (code, told) => {
    const failure = storeFailure("team on db", failed(code));

    expect(failure).toMatchObject({ code: told, remedy: "fix-config", hint: expect.any(String) });
    expect((failure as AppError).message).toMatch(/^the store team on db .*\(said the database\)$/);
  });

  it("that nobody knows, or that was told already, stays as it is", () => {
    const told = new AppError("told", { code: "store-too-new", remedy: "fix-config" });
    const unknown = new TypeError("a bug");

    expect(storeFailure("team on db", told)).toBe(told);
    expect(storeFailure("team on db", unknown)).toBe(unknown);
  });
});
