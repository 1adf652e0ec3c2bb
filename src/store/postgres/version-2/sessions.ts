/**
 * Conversations with the designer, and the workflow files that it writes or begins with. A design's node may be collected once
 * the registry names another: it is no foreign key.
 */
export const sessions = `
  CREATE TABLE uwf.workflows (
    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id UUID NOT NULL,
    name text COLLATE "C" NOT NULL,
    source text NOT NULL,
    dry_run JSONB,
    node text COLLATE "C",
    created_at TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT NOW(),
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT NOW()
  );
  CREATE INDEX idx_workflows_user ON uwf.workflows (user_id, updated_at DESC);
  CREATE INDEX idx_workflows_updated ON uwf.workflows (updated_at);

  CREATE TABLE uwf.sessions (
    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id UUID NOT NULL,
    action_type VARCHAR(20) DEFAULT 'create' NOT NULL CHECK (action_type IN ('create', 'edit', 'copy')),
    source_workflow_id UUID REFERENCES uwf.workflows (id) ON DELETE SET NULL,
    agent_stage VARCHAR(50),
    created_at TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT NOW(),
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT NOW()
  );
  CREATE INDEX idx_sessions_action_type ON uwf.sessions (action_type);
  CREATE INDEX idx_sessions_source_workflow ON uwf.sessions (source_workflow_id);
  CREATE INDEX idx_sessions_user ON uwf.sessions (user_id, updated_at DESC);
  CREATE INDEX idx_sessions_updated ON uwf.sessions (updated_at);

  CREATE TABLE uwf.workflow_agent_states (
    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    session_id UUID NOT NULL REFERENCES uwf.sessions (id) ON DELETE CASCADE,
    user_id UUID NOT NULL,
    stage VARCHAR(50) NOT NULL CHECK (stage IN (
      'clarification', 'negotiation', 'gap_analysis', 'alternative_generation', 'workflow_generation',
      'debug', 'completed', 'error'
    )),
    conversations JSONB DEFAULT '[]' NOT NULL,
    intent_summary TEXT DEFAULT '',
    gaps JSONB DEFAULT '[]' NOT NULL,
    alternatives JSONB DEFAULT '[]' NOT NULL,
    workflow_id UUID REFERENCES uwf.workflows (id) ON DELETE SET NULL,
    debug_loop_count INTEGER DEFAULT 0,
    clarification_context JSONB DEFAULT '{}' NOT NULL,
    workflow_context JSONB DEFAULT '{}' NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT NOW(),
    updated_at TIMESTAMP WITH TIME ZONE DEFAULT NOW(),
    CONSTRAINT unique_session_state UNIQUE (session_id),
    CONSTRAINT valid_debug_count CHECK (debug_loop_count >= 0)
  );
  CREATE INDEX idx_agent_states_session ON uwf.workflow_agent_states (session_id);
  CREATE INDEX idx_agent_states_user ON uwf.workflow_agent_states (user_id);
  CREATE INDEX idx_agent_states_stage ON uwf.workflow_agent_states (stage);
  CREATE INDEX idx_agent_states_updated ON uwf.workflow_agent_states (updated_at DESC);
  CREATE INDEX idx_agent_states_conversations_gin ON uwf.workflow_agent_states USING GIN (conversations);
  CREATE INDEX idx_agent_states_workflow_id ON uwf.workflow_agent_states (workflow_id);
`;
