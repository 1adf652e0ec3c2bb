/**
 * The TypeScript API: workflows in a program of one's own, without the store, the bot or the command line.
 * `createWorkflow` runs a checked workflow; adapters decide who plays its roles.
 */
export type { AdapterBinding, AdapterFn, Journal, RoleFn, ThreadContext } from "./agents/adapter.ts";
export { createLlmAdapter } from "./agents/llm-adapter.ts";
export { memoryJournal } from "./agents/memory-journal.ts";
export { createReactAdapter } from "./agents/react-adapter.ts";
export type { LoopEvent, ReactAdapterConfig, ToolCallContext } from "./agents/react-config.ts";
export { AppError, type Remedy } from "./base/errors.ts";
export type { ChatMessage, Model, ModelReply, ModelRequest, ToolCall, ToolDefinition } from "./llm/model.ts";
export { openaiModel } from "./llm/openai-model.ts";
export { calls, resolves, says, scriptedModel } from "./llm/scripted-model.ts";
export {
  type ContextFor,
  createWorkflow,
  type WorkflowFn,
  type WorkflowOutcome,
} from "./thread/create-workflow.ts";
export { loadWorkflow } from "./workflow/load.ts";
export type { Role, Workflow } from "./workflow/workflow.ts";
