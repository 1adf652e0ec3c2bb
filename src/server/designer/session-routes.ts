import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AgentState } from "../../designer/agent-state.ts";
import { drawingOf } from "../../designer/drawing.ts";
import { stages } from "../../designer/stages.ts";
import type { DesignerApiParts } from "./api-parts.ts";
import {
  CreatedSession,
  History,
  ListQuery,
  NewSession,
  Refusal,
  SessionInfo,
  SessionList,
  SessionPath,
  WorkflowStatus,
} from "./api-schemas.ts";

const tags = ["sessions"];
const unknown = { 404: Refusal.describe("There is no such session of yours, or it has expired.") };

/** Sessions: made, shown, listed, removed. */
export const sessionRoutes: FastifyPluginAsyncZod<DesignerApiParts> = async (
  server,
  { states, designs, userId, runs },
) => {
  server.post(
    "/session",
    {
      schema: {
        ...{ tags, summary: "Begin a conversation", body: NewSession },
        response: { 201: CreatedSession, 400: Refusal, 404: Refusal },
      },
    },
    async ({ body: { action, workflow_id, workflow_name } }, reply) => {
      const adopted = workflow_id === null && workflow_name !== null && action !== "create";
      const workflowId = adopted ? (await designs.adopt(workflow_name, userId)).id : workflow_id;
      const { id } = await states.createSession({ userId, action, workflowId });
      const { workflow_context } = await states.getState(id, userId);
      const message = "The session is open: say what the workflow is to do.";
      return reply.code(201).send({ session_id: id, action_type: action, workflow_context, message });
    },
  );

  server.get(
    "/session",
    {
      schema: {
        ...{ tags, summary: "List conversations that are not completed", querystring: ListQuery },
        response: { 200: SessionList },
      },
    },
    async ({ query: { limit } }) => ({
      sessions: (await states.getActiveSessions(userId, limit)).map((session) => ({
        session_id: session.id,
        action_type: session.actionType,
        stage: z.enum(stages).nullable().catch(null).parse(session.agentStage),
        last_updated: isoTime(session.updatedAt),
      })),
    }),
  );

  server.get(
    "/session/:session_id",
    {
      schema: {
        ...{ tags, summary: "Show where a conversation stands", params: SessionPath },
        response: { 200: SessionInfo, ...unknown },
      },
    },
    async ({ params: { session_id } }) => {
      const { actionType } = await states.getSession(session_id, userId);
      const state = await states.getState(session_id, userId);
      return {
        ...{ session_id, action_type: actionType, stage: state.stage, intent_summary: state.intent_summary },
        last_updated: isoTime(state.updated_at),
        conversation_turns: turnsOf(state),
        has_workflow: state.workflow_id !== "",
      };
    },
  );

  server.delete(
    "/session/:session_id",
    {
      schema: {
        ...{ tags, summary: "Remove a conversation", params: SessionPath },
        response: { 204: z.null(), ...unknown },
      },
    },
    async ({ params: { session_id } }, reply) => {
      await states.getSession(session_id, userId);
      await states.deleteState(session_id, userId);
      return reply.code(204).send(null);
    },
  );

  server.get(
    "/chat/history/:session_id",
    {
      schema: {
        ...{ tags, summary: "Show what was said", params: SessionPath },
        response: { 200: History, ...unknown },
      },
    },
    async ({ params: { session_id } }) => {
      const state = await states.getState(session_id, userId);
      const { conversations, intent_summary, stage } = state;
      return { session_id, conversations, intent_summary, current_stage: stage, total_turns: turnsOf(state) };
    },
  );

  server.get(
    "/workflow/:session_id/status",
    {
      schema: {
        ...{ tags: ["workflows"], summary: "Show the workflow in the making", params: SessionPath },
        response: { 200: WorkflowStatus, ...unknown },
      },
    },
    async ({ params: { session_id } }) => {
      const state = await states.getState(session_id, userId);
      const design = state.workflow_id === "" ? undefined : await designs.load(state.workflow_id, userId);
      const last_updated = isoTime(state.updated_at);
      const known = {
        ...{ session_id, stage: state.stage, debug_loop_count: state.debug_loop_count },
        ...{ last_updated, runs_on: [...runs.forges] },
      };
      if (design === undefined) return { ...known, has_workflow: false };
      const { id, name, source, node, dryRun } = design;
      const drawing = await drawingOf(source, name);
      const workflow_data = { name, source, node, dry_run: dryRun, drawing };
      return { ...known, has_workflow: true, workflow_id: id, workflow_data };
    },
  );
};

const isoTime = (at: number): string => new Date(at).toISOString();

const turnsOf = ({ conversations }: AgentState): number =>
  conversations.filter(({ role }) => role === "user").length;
