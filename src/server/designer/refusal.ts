import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { AppError, messageOf } from "../../base/errors.ts";
import type { Refusal } from "./api-schemas.ts";

type Refused = { status: number; body: z.output<typeof Refusal> };

const statuses: Readonly<Record<string, number>> = {
  "session-unknown": 404,
  "workflow-unknown": 404,
  "session-busy": 409,
  "session-damaged": 409,
  "session-not-completed": 409,
  "work-under-way": 409,
  "issue-not-workable": 409,
  "repository-not-allowed": 403,
  "forge-denied": 403,
  "forge-missing": 404,
  "actor-busy": 429,
  "repository-config-invalid": 422,
  "workflow-invalid": 422,
  "workflow-too-large": 422,
  "agent-unknown": 422,
  "agent-recursive": 422,
  "model-unconfigured": 422,
  "review-nowhere": 422,
  "message-too-long": 413,
};

/** Of the server's own refusals, by Fastify's codes. */
const codes: Readonly<Record<string, string>> = {
  FST_ERR_VALIDATION: "invalid-request",
  FST_ERR_CTP_BODY_TOO_LARGE: "request-too-large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "not-json",
};

/** What a request that failed is answered; null: it is a defect, which only the log may know more of. */
export const refusalOf = (error: unknown): Refused | null => {
  if (error instanceof AppError) {
    const { code, hint, remedy } = error;
    if (remedy === "bug") return null;
    const body = { error: messageOf(error), error_code: code, ...(hint === undefined ? {} : { hint }) };
    return {
      status: statuses[code] ?? (remedy === "retry" ? 503 : 400),
      body: { ...body, is_recoverable: true },
    };
  }
  const { statusCode, code } = error as Partial<FastifyError>;
  if (statusCode === undefined || statusCode >= 500) return null;
  const error_code = codes[code ?? ""] ?? "bad-request";
  return { status: statusCode, body: { error: messageOf(error), error_code, is_recoverable: true } };
};

export const answerRefusal = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const refused = refusalOf(error);
  if (refused !== null) return reply.code(refused.status).send(refused.body);
  request.log.error({ err: error }, "a request to the designer failed");
  const body = { error: "An unexpected error came up; the log has it.", error_code: "internal" };
  return reply.code(500).send({ ...body, is_recoverable: false });
};
