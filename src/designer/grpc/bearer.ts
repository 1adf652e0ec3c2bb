import type { Metadata, ServerInterceptor } from "@grpc/grpc-js";
import { isSameSecret } from "../../base/same-secret.ts";

type Grpc = typeof import("@grpc/grpc-js");

const details = "This needs the token that UWF_API_TOKEN has, as `authorization: Bearer <token>`.";

/** Lets calls through whose metadata bring the token. Of all others nothing is read but the metadata. */
export const bearerOnly =
  (token: string, { ServerInterceptingCall, status }: Grpc): ServerInterceptor =>
  (_method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            if (isSameSecret(bearerIn(metadata), token)) pass(metadata);
            else call.sendStatus({ code: status.UNAUTHENTICATED, details });
          },
        }),
    });

const bearerIn = (metadata: Metadata): string => {
  const [value] = metadata.get("authorization");
  return /^bearer +(\S+)$/i.exec(String(value ?? ""))?.[1] ?? "";
};
