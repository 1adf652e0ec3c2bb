import { silentLog } from "../../src/base/log.ts";
import { type GrpcService, serveGrpc } from "../../src/designer/grpc/serve-grpc.ts";
import { type DesignerRig, designerRig } from "./designer.ts";
import { CLIENT_TOKEN, type DesignerClient, designerClient } from "./designer-client.ts";
import type { ModelScript } from "./model-script.ts";

/** The designer's gRPC service on this machine, for clients that bring the token. */
export const designerGrpc = ({ process }: Pick<DesignerRig, "process">, port = 0): Promise<GrpcService> =>
  serveGrpc({ process, host: "127.0.0.1", port, token: CLIENT_TOKEN, log: silentLog });

export type GrpcDesigner = {
  rig: DesignerRig;
  service: GrpcService;
  client: DesignerClient;
  dispose(): Promise<void>;
};

/** A designer of its own with that service, and a client of it. */
export const grpcDesigner = async (script: ModelScript): Promise<GrpcDesigner> => {
  const rig = await designerRig(script);
  const service = await designerGrpc(rig);
  const client = designerClient(service.address);
  const dispose = async () => {
    client.close();
    await service.close();
    await rig.dispose();
  };
  return { rig, service, client, dispose };
};
