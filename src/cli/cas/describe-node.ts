import { shortHash } from "../../base/ids.ts";
import { agentLabel } from "../../store/agent-payload.ts";
import type { Node } from "../../store/node.ts";
import { counted } from "../format.ts";

/** What a node is about, in some words: what a list shows beside its hash. */
export const describeNode = (node: Node): string => {
  switch (node.type) {
    case "role-schema":
      return Object.keys(
        typeof node.payload.properties === "object" ? { ...node.payload.properties } : node.payload,
      ).join(", ");
    case "role":
    case "workflow":
      return node.payload.name;
    case "agent":
      return `${node.payload.name} (${agentLabel(node.payload)})`;
    case "thread-start":
      return start(node.payload.input);
    case "step":
      return node.payload.role;
    case "output":
      return start(JSON.stringify(node.payload.value));
    case "turn":
      return describeTurn(node.payload);
    case "workspace":
      return `${counted(node.payload.files.length, "file")} changed on ${node.payload.base.slice(0, 10)}`;
    case "text":
      return node.payload.encoding === "utf8" ? start(node.payload.text) : "binary";
    case "thread-end":
      return node.payload.reason === null
        ? node.payload.status
        : `${node.payload.status}: ${start(node.payload.reason)}`;
  }
};

const describeTurn = (turn: Extract<Node, { type: "turn" }>["payload"]): string => {
  switch (turn.kind) {
    case "message":
      return `message: ${start(turn.text)}`;
    case "reply": {
      const calls = turn.toolCalls.map(({ name }) => name).join(", ");
      return `reply: ${calls === "" ? start(turn.content) : calls}`;
    }
    case "tool":
      return `tool: ${turn.name}${turn.ok ? "" : " failed"}`;
    case "compaction":
      return "compaction";
    case "lost":
      return `lost: ${start(turn.reason)}`;
    case "state":
      return `state: ${shortHash(turn.state)}`;
    case "child":
      return `child: ${turn.childWorkflow} ${turn.status}`;
  }
};

/** Enough of a text for any line of a terminal. */
const start = (text: string): string => text.slice(0, 300);
