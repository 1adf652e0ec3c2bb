import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { inputError } from "../../base/errors.ts";

/** Bytes of a request. */
const MOST_BYTES = 256 * 1024;

/**
 * Takes JSON in UTF-8 and nothing else: a form or a plain text, which any site can have a browser send, is refused, and bytes that
 * are no UTF-8 are not guessed at.
 */
export const takeJsonOnly = (server: FastifyInstance): void => {
  server.removeAllContentTypeParsers();
  const parse = server.getDefaultJsonParser("error", "error");
  server.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: MOST_BYTES },
    (request, body: Buffer, done) => {
      if (!isUtf8(body)) {
        done(
          inputError("not-utf-8", "the request's body is not valid UTF-8", "Encode it as UTF-8."),
          undefined,
        );
        return;
      }
      parse(request, body.toString("utf8"), done);
    },
  );
};
