/**
 * The TypeScript API: workflows in a program of one's own, without the store, the bot or the command line.
 * `createWorkflow` runs a checked workflow; adapters decide who plays its roles.
 */
export type { AdapterBinding, AdapterFn, Journal, NewTurn, RoleFn, ThreadContext } from "./agents/adapter.ts";
export { createLlmAdapter, type LlmAdapterOptions } from "./agents/llm-adapter.ts";
export { type MemoryJournal, memoryJournal } from "./agents/memory-journal.ts";
export type { ModelCall } from "./agents/model-call.ts";
export { createReactAdapter } from "./agents/react-adapter.ts";
export type { LoopEvent, ReactAdapterConfig, ToolCallContext } from "./agents/react-config.ts";
export { type AgentToAdapterOptions, agentToAdapter } from "./agents/text/agent-to-adapter.ts";
export type { AgentAnswer, AgentFn, TextAgent, TextAgentContext } from "./agents/text/text-agent.ts";
export { AppError, type AppErrorOptions, type Remedy } from "./base/errors.ts";
export type { Hash, ThreadId } from "./base/ids.ts";
export type { Json, JsonSchema } from "./base/json.ts";
export { type Log, silentLog } from "./base/log.ts";
export type { AgentStore } from "./kit/agent-nodes.ts";
export {
  type AgentOptions,
  type AgentRunContext,
  type AgentRunResult,
  createAgent,
} from "./kit/create-agent.ts";
export type {
  AskOptions,
  ChatMessage,
  Model,
  ModelReply,
  ModelRequest,
  ToolCall,
  ToolDefinition,
} from "./llm/model.ts";
export type { ModelConfig, Price, Provider } from "./llm/model-config.ts";
export { type OpenaiModelOptions, openaiModel } from "./llm/openai-model.ts";
export type { RetryPolicy } from "./llm/retry-policy.ts";
export {
  calls,
  resolves,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  type ScriptedStep,
  says,
  scriptedModel,
} from "./llm/scripted-model.ts";
export type { Edge, RoleLimits, Source, Usage } from "./store/payload.ts";
export type { AgentContext } from "./thread/agent-context.ts";
export {
  type ContextFor,
  createWorkflow,
  type WorkflowFn,
  type WorkflowOutcome,
  type WorkflowStart,
} from "./thread/create-workflow.ts";
export { memoryContexts } from "./thread/memory-contexts.ts";
export type { PastStep, Resumption } from "./thread/moderator.ts";
export { type WorkflowAgentOptions, workflowAsAgent } from "./thread/workflow-as-agent.ts";
export type { StoredNodes } from "./tools/stored-nodes.ts";
export type { ToolAnswer } from "./tools/tool.ts";
export { type LoadOptions, loadWorkflow } from "./workflow/load.ts";
export type { Role, Workflow } from "./workflow/workflow.ts";
