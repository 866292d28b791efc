/** Generated from openapi/assistant.json (sha256 8300addb2ba4cd4d9a3f07aa74ec4b76541b0c59f13b8b2eb3b9a9785444a7e0) by scripts/client-types.ts; do not edit. */
export interface paths {
    "/api/assistant/v2/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get skills */
        get: operations["getSkills"];
        put?: never;
        /** Create new skill */
        post: operations["createSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/skills/{skill_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a skill */
        get: operations["getSkill"];
        put?: never;
        post?: never;
        /**
         * Delete a skill
         * @description Agents that have it lose it.
         */
        delete: operations["deleteSkill"];
        options?: never;
        head?: never;
        /**
         * Update existing skill
         * @description Fields that are null or left out stay as they are. Of a skill that is shipped with the product only the tools can be changed.
         */
        patch: operations["updateSkill"];
        trace?: never;
    };
    "/api/assistant/v2/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get agents */
        get: operations["getAgents"];
        put?: never;
        /** Create agent */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an agent */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description Agents that may call it lose it.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Update agent
         * @description Fields that are null or left out stay as they are. `mcp_tools` and `skill_ids`, which only create takes, are refused: `POST` and `DELETE` below the agent change them. An agent that is shipped with the product can be enabled, disabled, made the default and extended, but not rewritten.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/api/assistant/v2/agents/{agent_id}/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get capabilities
         * @description What an agent can do, flattened: its skills, its tools and those that come with its skills.
         */
        get: operations["getCapabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/agents/{agent_id}/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add skills */
        post: operations["addSkills"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/agents/{agent_id}/skills/{skill_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a skill from an agent */
        delete: operations["removeSkill"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/agents/{agent_id}/mcp-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add mcp tools
         * @description Tools that a server has offered, whether it can be reached at the moment or not.
         */
        post: operations["addMcpTools"];
        /**
         * Remove mcp tool
         * @description A tool that also comes with a skill of the agent stays available through that skill.
         */
        delete: operations["removeMcpTool"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/mcp-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get mcp tools
         * @description Tools that may be used: their servers offer them as they were approved.
         */
        get: operations["getMcpTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/mcp-tools/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lookup mcp tools
         * @description Tools by their ids, in that order. Unknown ids are left out.
         */
        post: operations["lookupMcpTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/mcp-tools/changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get mcp tools that wait for an approval
         * @description Their servers describe them differently from the approved form, so they are not offered.
         */
        get: operations["getChangedMcpTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/mcp-tools/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve mcp tools that changed
         * @description Each with the fingerprint of the form that was reviewed; all of them or none.
         */
        post: operations["approveMcpTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of mcp servers
         * @description As the process that answers sees them; each process has connections of its own.
         */
        get: operations["getMcpServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/config/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the value of a key
         * @description `budgets` and `approvals` show what the settings of the server say while they are not set.
         */
        get: operations["getConfig"];
        /**
         * Set config
         * @description Runs that begin or go on afterwards read the keys `budgets` and `approvals`, which may only tighten what the settings of the server allow; null takes the settings again. Any other key is kept for clients. A mask in the value keeps what is stored at its place. Values under names of secrets are shown to who may set keys only.
         */
        put: operations["setConfig"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/llm/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the llm config
         * @description All fields are empty while none has been saved.
         */
        get: operations["getLlmConfig"];
        put?: never;
        /**
         * Create llm config
         * @description Replaces the present one. The model is called once with a short request; the header x-model-probe says how that went (`ok`, or `failed` or `skipped` with a short reason); the stored configuration has more details.
         */
        post: operations["createLlmConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/embedder/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the embedder config
         * @description All fields are empty while none has been saved. Also says how much its vectors count in searches, once that is measured.
         */
        get: operations["getEmbedderConfig"];
        put?: never;
        /**
         * Create embedder config
         * @description Replaces the present one. The model is called once with a short request; the header x-model-probe says how that went (`ok`, or `failed` or `skipped` with a short reason); the stored configuration has more details.
         */
        post: operations["createEmbedderConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/agent-catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the external agents */
        get: operations["getRegisteredAgents"];
        put?: never;
        /** Register agent */
        post: operations["registerAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/agent-catalog/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an external agent */
        get: operations["getRegisteredAgent"];
        put?: never;
        post?: never;
        /** Delete an external agent */
        delete: operations["deleteRegisteredAgent"];
        options?: never;
        head?: never;
        /**
         * Patch agent
         * @description Fields that are null or left out stay as they are, and so does what a mask stands for. With another address the secrets in it and in the payload have to be given again.
         */
        patch: operations["patchAgent"];
        trace?: never;
    };
    "/api/assistant/v2/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the keys of tokens
         * @description As a JSON Web Key Set. With it agents verify the tokens that name the user.
         */
        get: operations["getTokenKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description The one that was used last comes first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/sessions/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search your sessions
         * @description Titles and messages of the 1,000 sessions that you used last; of a message the first 20,000 characters.
         */
        get: operations["searchSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/sessions/{session_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of a session */
        get: operations["listSessionMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/sessions/{session_id}/title": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Patch session title
         * @description Only the owner of a session may. The assistant does not change the title afterwards.
         */
        patch: operations["patchSessionTitle"];
        trace?: never;
    };
    "/api/assistant/v2/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a session
         * @description With its messages and runs. A run under way is stopped.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Task
         * @description Answers as Server-Sent Events of AG-UI 1.0, each with `event`, `id` and `data`, until `RUN_FINISHED` or `RUN_ERROR`. The run goes on when the client leaves; `GET /runs/{run_id}/events` resumes.
         */
        post: operations["task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/task/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Task sync
         * @description The same run as one answer. When the run waits for an approval, the message says what for and how to decide; the next message of the session decides when it is exactly `approve` or `refuse[: reason]`. `approve` is not taken when the arguments are too long to be shown in the message.
         */
        post: operations["taskSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a run with its approvals */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the events of a run
         * @description From its first event, or after the one that `Last-Event-ID` or `after` names; on any replica.
         */
        get: operations["streamRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Summarise the use of models */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description It ends at once; a call of the model under way is aborted.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tool calls that wait for you
         * @description Of your runs, the one that has waited longest first.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/runs/{run_id}/approvals/{approval_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Allow or refuse a tool call
         * @description The run goes on with the rights that the caller has now. The model reads the reason of a refusal. With `arguments` the tool is called with these. The same decision again changes nothing.
         */
        post: operations["decideApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/agui": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run as an AG-UI agent */
        post: operations["aguiRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Chat as AI SDK UI does */
        post: operations["uiChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/chat/{chat_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Go on with a chat of AI SDK UI
         * @description The answer that is being written, from its beginning.
         */
        get: operations["resumeUiChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agents as models */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an agent as a model */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v1/responses/{response_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a response
         * @description Only its owner gets it; also while it is being answered, and when it was cancelled or has failed. With `stream=true` its events come from the first one, or after the number `starting_after`, until the answer ends; leaving such a stream cancels nothing.
         */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask an agent as a chat model
         * @description Streamed when `stream` is true. The model is the name of an agent. Refused by name are `tools`, `functions`, a `tool_choice` or `function_call` that asks for one, `n` above 1, a `response_format` other than text, `logprobs`, `audio`, `modalities` other than text, `stop`, `web_search_options` and parts that are no text. Other fields that OpenAI knows, such as `temperature`, `max_tokens`, `user`, `metadata`, `store` and `seed`, are taken without effect.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask an agent by the Responses interface
         * @description Streamed when `stream` is true. The model is the name of an agent. Refused by name are `tools`, a `tool_choice` that asks for one, a `text.format` other than text, `background`, `conversation`, `prompt`, `top_logprobs`, and items and parts that are no text. Other fields that OpenAI knows, such as `temperature`, `max_tokens`, `user`, `metadata`, `store` and `seed`, are taken without effect.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/a2a": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an A2A message to the default agent
         * @description JSON-RPC of A2A 1.0 and 0.3. A run is a task, a session is a context. What the protocol refuses is answered with 200 and `error`; a body that is not a JSON-RPC request with 422, and one of another charset than UTF-8 with 415, in the same form.
         */
        post: operations["a2a"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/a2a/agents/{agent_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an A2A message to an agent
         * @description JSON-RPC of A2A 1.0 and 0.3. A run is a task, a session is a context. What the protocol refuses is answered with 200 and `error`; a body that is not a JSON-RPC request with 422, and one of another charset than UTF-8 with 415, in the same form.
         */
        post: operations["a2aOfAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the A2A card of the default agent */
        get: operations["getWellKnownCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/a2a/.well-known/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the A2A card of the default agent */
        get: operations["getA2aCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/a2a/agents/{agent_name}/.well-known/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the A2A card of an agent */
        get: operations["getA2aCardOfAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call the MCP server
         * @description The platform as an MCP server over streamable HTTP: one message of JSON-RPC a request, without sessions. Tools act as the caller, and each checks for itself what the caller may do.
         */
        post: operations["mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of the sign-in
         * @description Addresses for clients of the MCP server (RFC 8414). Answered where `signIn.clientId` is set for a provider: this server then stands between clients and that provider.
         */
        get: operations["getAuthorizationServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of the sign-in by OpenID Connect
         * @description Addresses for clients of the MCP server (RFC 8414). Answered where `signIn.clientId` is set for a provider: this server then stands between clients and that provider.
         */
        get: operations["getOpenIdConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin a sign-in
         * @description Sends the person to the provider. Needs PKCE with S256. Answered where `signIn.clientId` is set for a provider: this server then stands between clients and that provider.
         */
        get: operations["beginSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * End a sign-in
         * @description Sends the person from the provider back to the client. Answered where `signIn.clientId` is set for a provider: this server then stands between clients and that provider.
         */
        get: operations["endSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/oauth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a client
         * @description Answers the client id of the settings (RFC 7591); nothing is stored. Answered where `signIn.clientId` is set for a provider: this server then stands between clients and that provider.
         */
        post: operations["registerClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get or renew a token
         * @description Takes the form of OAuth (`application/x-www-form-urlencoded`) with `grant_type` authorization_code or refresh_token to the provider, and answers what it answers. Answered where `signIn.clientId` is set for a provider: this server then stands between clients and that provider.
         */
        post: operations["getToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sign-in of the MCP server
         * @description The metadata of a protected resource (RFC 9728): the address of the MCP server, where its clients sign in, and for which scopes. The challenge of a refused call of `/mcp` names its address.
         */
        get: operations["getProtectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sign-in of the server
         * @description The metadata of a protected resource (RFC 9728): the address of the MCP server, where its clients sign in, and for which scopes. The challenge of a refused call of `/mcp` names its address.
         */
        get: operations["getProtectedResourceAtRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search skills, tools, entities, descriptors and pages
         * @description By words always, and by meaning where an embedder is set. Finds what the caller may read: the best passage of each record, up to two sections of a page.
         */
        get: operations["searchKnowledge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export skills, agents and external agents
         * @description A .tar.gz with `skills/<key>/SKILL.md`, `agents/<key>/AGENT.md` and `external-agents/<key>.json` of all that users have made. It has no secrets: in payloads and addresses of external agents a mask stands for them.
         */
        get: operations["exportRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistant/v2/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import skills, agents and external agents
         * @description All of an archive or nothing. A file with an id is the record with that id, one without is the record of its name; records that there are not are made, others become as the file says. Nothing is deleted, and the default agent stays.
         */
        post: operations["importRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        A2aAnswer: {
            /** @constant */
            jsonrpc: "2.0";
            id: string | number | null;
            result?: unknown;
            error?: components["schemas"]["A2aError"];
        };
        A2aError: {
            code: number;
            message: string;
            data: {
                [key: string]: unknown;
            }[];
        };
        A2aRequest: {
            /** @constant */
            jsonrpc: "2.0";
            id?: string | number | null;
            method: string;
            params?: {
                [key: string]: unknown;
            };
        };
        Agent: {
            /** Format: uuid */
            id: string;
            /** @description Empty unless the agent is shipped with the product. */
            platform_key: string;
            name: string;
            label: string;
            description: string;
            enabled: boolean;
            is_default: boolean;
            /** @description The root of the graph of agents. */
            is_orchestrator: boolean;
            is_platform_provided: boolean;
            display_order: number;
            instructions: string;
            subagent_ids: string[];
            created_at: string;
            updated_at: string;
        };
        AgentCapabilities: {
            streaming: boolean;
            pushNotifications: boolean;
            stateTransitionHistory: boolean;
            extendedAgentCard: boolean;
        };
        AgentCard: {
            name: string;
            description: string;
            version: string;
            protocolVersion: string;
            url: string;
            preferredTransport: string;
            supportedInterfaces: components["schemas"]["AgentInterface"][];
            provider: components["schemas"]["AgentProvider"];
            capabilities: components["schemas"]["AgentCapabilities"];
            supportsAuthenticatedExtendedCard: boolean;
            securitySchemes: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            securityRequirements: {
                [key: string]: unknown;
            }[];
            security: {
                [key: string]: string[];
            }[];
            defaultInputModes: string[];
            defaultOutputModes: string[];
            skills: components["schemas"]["AgentSkill"][];
        };
        AgentChange: {
            /** @description No other agent has it, in any case. */
            name?: string | null;
            /** @description The displayed name. */
            label?: string | null;
            /** @description For people, and for agents that may call it. */
            description?: string | null;
            instructions?: string | null;
            enabled?: boolean | null;
            is_default?: boolean | null;
            display_order?: number | null;
            subagent_ids?: string[] | null;
        };
        AgentInterface: {
            url: string;
            protocolBinding: string;
            protocolVersion: string;
        };
        AgentList: {
            data: components["schemas"]["AgentSummary"][];
            meta: components["schemas"]["OffsetPage"];
        };
        AgentProvider: {
            organization: string;
            url: string;
        };
        AgentSkill: {
            id: string;
            name: string;
            description: string;
            tags: string[];
        };
        AgentSummary: {
            /** Format: uuid */
            id: string;
            /** @description Empty unless the agent is shipped with the product. */
            platform_key: string;
            name: string;
            label: string;
            description: string;
            enabled: boolean;
            is_default: boolean;
            /** @description The root of the graph of agents. */
            is_orchestrator: boolean;
            is_platform_provided: boolean;
            display_order: number;
            skill_count: number;
            /** @description Tools that it has by itself. */
            tool_count: number;
            created_at: string;
            updated_at: string;
        };
        AgentToCreate: {
            /** @description No other agent has it, in any case. */
            name: string;
            /** @description The displayed name. */
            label: string;
            /**
             * @description For people, and for agents that may call it.
             * @default
             */
            description?: string;
            /** @default  */
            instructions?: string;
            /** @default true */
            enabled?: boolean;
            /**
             * @description Replaces the present default.
             * @default false
             */
            is_default?: boolean;
            /** @default 0 */
            display_order?: number;
            mcp_tools?: components["schemas"]["McpToolRef"][];
            skill_ids?: string[];
            subagent_ids?: string[];
        };
        AguiRequest: {
            threadId: string;
            runId: string;
            messages: components["schemas"]["ChatMessage"][];
            context?: {
                description: string;
                value: string;
            }[];
        };
        Approval: {
            /** Format: uuid */
            id: string;
            tool_call_id: string;
            /** @description From the first agent to the one that calls. */
            agents: string[];
            server: string;
            tool: string;
            arguments: {
                [key: string]: unknown;
            };
            /** @enum {unknown} */
            status: "pending" | "approved" | "denied" | "expired";
            /** @description What the user said. */
            reason: string | null;
            /** @description What the user approved in their place. */
            edited_arguments: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description JSON Schema of the tool's arguments, which edited ones have to fit. null while its server is not connected, and for one beyond 64 KiB. */
            arguments_schema?: {
                [key: string]: unknown;
            } | null;
        };
        ApprovalDecision: {
            /** @description Whether the tool may be called. */
            approved: boolean;
            /** @description Of a refusal; the model reads it. */
            reason?: string | null;
            /** @description All arguments, to call the tool with in place of those of the model. A mask keeps the value that it stands for. */
            arguments?: {
                [key: string]: unknown;
            } | null;
        };
        ApprovalList: {
            data: components["schemas"]["WaitingApproval"][];
            meta: components["schemas"]["OffsetPage"];
        };
        AuthorizationServer: {
            issuer: string;
            authorization_endpoint: string;
            token_endpoint: string;
            registration_endpoint: string;
            jwks_uri: string;
            scopes_supported: string[];
            response_types_supported: string[];
            response_modes_supported: string[];
            grant_types_supported: string[];
            code_challenge_methods_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            authorization_response_iss_parameter_supported: boolean;
            subject_types_supported: string[];
            id_token_signing_alg_values_supported: string[];
        };
        Capability: {
            /** @description Of a skill its id, of a tool `server:name`. */
            id: string;
            display_name: string;
            description: string;
            kind: components["schemas"]["CapabilityKind"];
            /** @description Of a tool; empty for a skill. */
            server: string;
            name: string;
            /** @description Whether the agent has it only through a skill. */
            inherited: boolean;
            /** @description The tools of a skill. */
            children: {
                id: string;
                display_name: string;
                description: string;
                kind: components["schemas"]["CapabilityKind"];
                server: string;
                /** @description Whether the agent has it only through a skill. */
                inherited: boolean;
            }[];
        };
        /** @enum {unknown} */
        CapabilityKind: "skill" | "tool";
        CapabilityList: {
            data: components["schemas"]["Capability"][];
            meta: {
                pagination: components["schemas"]["Pagination"];
                summary: {
                    skill_count: number;
                    direct_tool_count: number;
                    effective_tool_count: number;
                    inherited_tool_count: number;
                    mcp_server_count: number;
                };
                mcp_servers: {
                    server: string;
                    tool_count: number;
                }[];
            };
        };
        ChangedMcpTool: {
            id: string;
            server: string;
            name: string;
            description: string;
            input_schema: unknown;
            annotations: unknown;
            /** @description Of name, description and schema; an approval names it. */
            fingerprint: string;
            /** @description Whether no form of it was ever approved. */
            is_new: boolean;
            seen_at: string;
        };
        ChangedMcpToolList: {
            data: components["schemas"]["ChangedMcpTool"][];
            meta: components["schemas"]["OffsetPage"];
        };
        ChatCompletionRequest: {
            /** @description Name of an agent. */
            model: string;
            messages: components["schemas"]["ChatMessage"][];
            stream?: boolean | null;
            stream_options?: {
                /** @description Whether a last chunk without choices has the usage. */
                include_usage?: boolean | null;
            } | null;
        };
        ChatMessage: {
            role: string;
            content?: string | {
                type: string;
                text?: string;
            }[] | null;
        };
        ChatRequest: {
            /** @description Of the chat; each has a session of its own. */
            id: string;
            messages: {
                role: string;
                parts?: components["schemas"]["TextPart"][];
            }[];
        };
        CheckedEmbedderSettings: {
            provider: string;
            endpoint: string;
            /** @description Masked; empty when there is none. */
            api_key: string;
            deployment: string;
            api_version: string;
            model: string;
            /** @description Values that may be secrets are masked. */
            custom_header: string;
            /** @description What the call at the last save has found. */
            probe: components["schemas"]["ModelProbe"] | null;
            /** @description How well its vectors agree with the words of passages, from 0 to 1: below 0.3 they only follow what words find, from 0.6 on they count as much. Measured once all passages have vectors; null until then. */
            agreement: number | null;
        };
        CheckedModelSettings: {
            provider: string;
            endpoint: string;
            /** @description Masked; empty when there is none. */
            api_key: string;
            deployment: string;
            api_version: string;
            model: string;
            /** @description Values that may be secrets are masked. */
            custom_header: string;
            /** @description What the call at the last save has found. */
            probe: components["schemas"]["ModelProbe"] | null;
        };
        ConfigEntry: {
            key: string;
            value: unknown;
        };
        ConfigValue: {
            /** @description Any JSON value, null among them. */
            value: unknown;
        };
        DecidedApproval: {
            /** Format: uuid */
            id: string;
            /** @enum {unknown} */
            status: "approved" | "denied";
        };
        Error: {
            detail: string;
            code: string;
        };
        ExternalAgent: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The name as people read it. */
            title: string;
            description: string;
            endpoint: string;
            payload: {
                [key: string]: unknown;
            };
            need_authentication: boolean;
            active: boolean;
        };
        ExternalAgentChange: {
            name?: string | null;
            description?: string | null;
            /** @description Where the agent is reached. Values of its query are masked for all but who may edit it. */
            endpoint?: string | null;
            /** @description How it is spoken to: `protocol` is a2a, agui, openai or http; with `destructive` true the user is asked before each call; the rest is for that protocol. Its texts are masked for all but who may edit it. */
            payload?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether it receives a token of the run that names the user; otherwise it gets none. */
            need_authentication?: boolean | null;
            /** @description Whether it is offered to agents. */
            active?: boolean | null;
            /** @description Follows from the name, so it is not taken. */
            title?: unknown;
        };
        ExternalAgentList: {
            data: components["schemas"]["ExternalAgent"][];
            meta: components["schemas"]["OffsetPage"];
        };
        ExternalAgentToRegister: {
            name: string;
            description: string;
            /** @description Where the agent is reached. Values of its query are masked for all but who may edit it. */
            endpoint: string;
            /**
             * @description How it is spoken to: `protocol` is a2a, agui, openai or http; with `destructive` true the user is asked before each call; the rest is for that protocol. Its texts are masked for all but who may edit it.
             * @default {}
             */
            payload?: {
                [key: string]: unknown;
            };
            /**
             * @description Whether it receives a token of the run that names the user; otherwise it gets none.
             * @default true
             */
            need_authentication?: boolean;
            /**
             * @description Whether it is offered to agents.
             * @default true
             */
            active?: boolean;
        };
        FoundSession: {
            /** Format: uuid */
            session_id: string;
            title: string;
            /**
             * @description What has the words.
             * @enum {unknown}
             */
            matches: "title" | "message";
            /** @description The last message that has them. */
            message_id: string | null;
            role: components["schemas"]["MessageRole"] | null;
            /** @description A part of the message or the title, on one line. */
            excerpt: string;
            /** Format: date-time */
            at: string;
        };
        FoundSessionList: {
            /** @description Each session once, the one that was used last first. */
            data: components["schemas"]["FoundSession"][];
            meta: {
                limit: number;
                /** @description Whether there are more than the list contains. */
                more: boolean;
            };
        };
        HTTPValidationError: {
            detail: components["schemas"]["ValidationError"][];
        };
        ImportResult: {
            dry_run: boolean;
            records: components["schemas"]["ImportedRecord"][];
            /** @description What was left out, and what is still to be done. */
            notes: string[];
        };
        ImportedRecord: {
            /** @enum {unknown} */
            kind: "skill" | "agent" | "external_agent";
            /** @description The file in the archive. */
            path: string;
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {unknown} */
            action: "created" | "updated" | "unchanged";
        };
        McpAnswer: {
            /** @constant */
            jsonrpc: "2.0";
        } & {
            [key: string]: unknown;
        };
        McpClient: {
            client_id: string;
            client_name?: string;
            redirect_uris: string[];
            grant_types: string[];
            response_types: string[];
            token_endpoint_auth_method: string;
            scope: string;
        };
        McpClientToRegister: {
            redirect_uris?: unknown;
            client_name?: unknown;
        } & {
            [key: string]: unknown;
        };
        McpRequest: {
            /** @constant */
            jsonrpc: "2.0";
            id?: string | number;
            method: string;
            params?: {
                [key: string]: unknown;
            };
        };
        McpServer: {
            name: string;
            /** @enum {unknown} */
            transport: "http" | "sse" | "stdio";
            /**
             * @description `waiting`: it could not be reached; the next attempt comes at `next_attempt_at`.
             * @enum {unknown}
             */
            status: "connecting" | "connected" | "waiting";
            since: string;
            /** @description Revision of the protocol that is spoken. */
            protocol: string | null;
            /** @description Tools that it offers, whether they are approved or not. */
            tool_count: number;
            /** @description Further information about its state. */
            message: string | null;
            next_attempt_at: string | null;
        };
        McpServerList: {
            data: components["schemas"]["McpServer"][];
        };
        McpTool: {
            /** @description `server:name`. */
            id: string;
            name: string;
            description: string;
            server: string;
        };
        McpToolApproval: {
            tools: {
                id: string;
                /** @description Fingerprint of the form that was reviewed. */
                fingerprint: string;
            }[];
        };
        McpToolIds: {
            ids: string[];
        };
        McpToolList: {
            data: components["schemas"]["McpTool"][];
            meta: components["schemas"]["OffsetPage"];
        };
        McpToolRef: {
            server: string;
            name: string;
        };
        McpToolRefs: {
            mcp_tools: components["schemas"]["McpToolRef"][];
        };
        Message: {
            id: string;
            /** Format: uuid */
            run_id: string;
            role: components["schemas"]["MessageRole"];
            /** @description Empty when a run ended before it had written anything. */
            content: string;
            /** @description Of an answer: the calls of the first agent that led to it, in their order. Later questions of the session see them, too. */
            tool_calls: components["schemas"]["ToolCall"][];
            /** @description Of an answer: the skills that were loaded at its end. They stay loaded in the session. */
            skills: string[];
            /** Format: date-time */
            created_at: string;
        };
        MessageList: {
            data: components["schemas"]["Message"][];
            meta: components["schemas"]["OffsetPage"];
        };
        /** @enum {unknown} */
        MessageRole: "user" | "assistant";
        Model: {
            id: string;
            object: string;
            created: number;
            owned_by: string;
        };
        ModelList: {
            object: string;
            data: components["schemas"]["Model"][];
        };
        ModelProbe: {
            /** @enum {unknown} */
            outcome: "ok" | "failed" | "skipped";
            /** @description One word; empty when it went well. */
            reason: string;
            message: string;
            checked_at: string;
        };
        /**
         * @description Empty or null: no model is configured.
         * @enum {string}
         */
        ModelProvider: "" | "openai" | "azure_openai" | "openai-compatible" | "anthropic" | "google" | "bedrock" | "azure" | "ollama" | "vllm" | "litellm";
        ModelSettings: {
            provider?: components["schemas"]["ModelProvider"] | null;
            /** @description Base address; empty for the provider's own. */
            endpoint?: string | null;
            /** @description Kept under the installation's key. The mask or null keeps the one that is stored, as long as provider, endpoint and deployment stay the same. */
            api_key?: string | null;
            /** @description Of Azure OpenAI. */
            deployment?: string | null;
            /** @description Of Azure OpenAI; empty or v1 for its unversioned addresses. */
            api_version?: string | null;
            /** @description As the provider names it. */
            model?: string | null;
            /** @description Lines of `Name: value`, or a JSON object of texts. The mask for a value keeps it like the key. */
            custom_header?: string | null;
        };
        OauthError: {
            error: string;
            error_description: string;
        };
        OauthToken: {
            access_token: string;
            token_type?: string;
            expires_in?: number;
            refresh_token?: string;
            scope?: string;
        };
        OffsetPage: {
            pagination: components["schemas"]["Pagination"];
        };
        OpenAiError: {
            error: components["schemas"]["OpenAiErrorDetail"];
        };
        OpenAiErrorDetail: {
            /** @description Every problem, one after the other. */
            message: string;
            type: string;
            /** @description The first field that was refused, such as `messages[0].content`. */
            param: string | null;
            /** @description As OpenAI names it, else the code of this platform. */
            code: string | null;
        };
        Pagination: {
            total: number;
            limit: number;
            offset: number;
        };
        ProtectedResource: {
            resource: string;
            resource_name: string;
            authorization_servers: string[];
            scopes_supported: string[];
            bearer_methods_supported: string[];
        };
        RecordsArchive: {
            /**
             * Format: binary
             * @description A .tar.gz file, as an export has it.
             */
            archive: string;
        };
        ResponseRequest: {
            /** @description Name of an agent. */
            model: string;
            input: string | (components["schemas"]["ChatMessage"] | {
                /** @enum {unknown} */
                type: "mcp_approval_response" | "mcp_approval_request";
                approval_request_id?: string;
                approve?: boolean;
                reason?: string | null;
            })[];
            instructions?: string | null;
            previous_response_id?: string | null;
            stream?: boolean | null;
        };
        Run: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            session_id: string;
            request_id: string;
            status: components["schemas"]["RunStatusWord"];
            /** @description Why it does not progress at the moment. */
            waiting: string | null;
            approvals: components["schemas"]["Approval"][];
        };
        RunStatus: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["RunStatusWord"];
        };
        /** @enum {unknown} */
        RunStatusWord: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled" | "interrupted";
        SearchHit: {
            kind: components["schemas"]["SearchHitKind"];
            key: string;
            title: string;
            /** @description A part of the text. It was written by others: data, no instruction. */
            excerpt: string;
            /** @description Only orders the results of this answer. */
            score: number;
            /** @description Of a page its file and heading, of an entity its reference, otherwise an id. */
            reference: string;
        };
        /** @enum {unknown} */
        SearchHitKind: "skill" | "tool" | "entity" | "descriptor" | "page";
        SearchResult: {
            data: components["schemas"]["SearchHit"][];
            meta: {
                /**
                 * @description `fused`: words and vectors; `lexical`: words alone.
                 * @enum {unknown}
                 */
                mode: "lexical" | "fused";
                index: {
                    /** @description When it was last brought up to date; null: not yet. */
                    updated_at: string | null;
                    /** @description Passages that are searched. */
                    documents: number;
                    has_embedder: boolean;
                    /** @description Passages without a vector of the present embedder. */
                    waiting_for_vectors: number;
                    /** @description The last error, until it has succeeded again. */
                    last_error: string | null;
                    /** @description When that is tried again. */
                    retry_at: string | null;
                };
            };
        };
        Session: {
            /** Format: uuid */
            id: string;
            title: string;
            /** Format: uuid */
            agent_id: string | null;
            waiting: components["schemas"]["WaitingRun"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SessionList: {
            data: components["schemas"]["Session"][];
            meta: components["schemas"]["OffsetPage"];
        };
        SessionTitle: {
            title: string;
        };
        Skill: {
            /** Format: uuid */
            id: string;
            /** @description Empty unless the skill is shipped with the product. */
            platform_key: string;
            name: string;
            description: string;
            is_platform_provided: boolean;
            /** @description Agents that have it. */
            agent_count: number;
            content: string;
            mcp_tools: components["schemas"]["McpToolRef"][];
            created_at: string;
            updated_at: string;
        };
        SkillChange: {
            name?: string | null;
            description?: string | null;
            /** @description Markdown; a model reads it once it needs the skill. */
            content?: string | null;
            mcp_tools?: components["schemas"]["McpToolRef"][] | null;
        };
        SkillIds: {
            skill_ids: string[];
        };
        SkillList: {
            data: components["schemas"]["SkillSummary"][];
            meta: components["schemas"]["OffsetPage"];
        };
        SkillSummary: {
            /** Format: uuid */
            id: string;
            /** @description Empty unless the skill is shipped with the product. */
            platform_key: string;
            name: string;
            description: string;
            is_platform_provided: boolean;
            /** @description Agents that have it. */
            agent_count: number;
            tool_count: number;
            created_at: string;
            updated_at: string;
        };
        SkillToCreate: {
            name: string;
            /** @default  */
            description?: string;
            /** @description Markdown; a model reads it once it needs the skill. */
            content: string;
            mcp_tools?: components["schemas"]["McpToolRef"][];
        };
        /**
         * @default asc
         * @enum {unknown}
         */
        SortOrder: "asc" | "desc";
        StoredModelSettings: {
            provider: string;
            endpoint: string;
            /** @description Masked; empty when there is none. */
            api_key: string;
            deployment: string;
            api_version: string;
            model: string;
            /** @description Values that may be secrets are masked. */
            custom_header: string;
        };
        TaskRequest: {
            message: string;
            /** @description A session of yours; a new one without. */
            session_id?: string | null;
            /** @description Chosen by the caller: the same request under the same id joins the run that there is. */
            request_id?: string | null;
            /** @description The agent to ask; that of the session without. */
            agent_id?: string | null;
            /** @description What the user looks at, as a text or in parts. Data for the model, never instructions. */
            page_context?: string | {
                /** @description The page's name, as people know it. */
                page: string;
                /** @description Its address below that of the server. */
                path?: string;
                /** @description Id of the deployment unit that it shows. */
                unit?: string;
                /** @description The environment that it shows. */
                environment?: string;
                /** @description Token of the execution plan that it shows. */
                plan?: string;
                /** @description Ids of what the user has selected there. */
                selection?: string[];
            } | null;
        };
        TaskResult: {
            message: string;
            title: string;
            session_id: string;
            request_id: string;
        };
        TextPart: {
            type: string;
            text?: string;
            state?: string;
            approval?: {
                id: string;
                approved?: boolean;
                reason?: string;
            };
        };
        TokenKeys: {
            keys: {
                [key: string]: string;
            }[];
        };
        ToolCall: {
            id: string;
            /** @description As the model knows the tool. */
            name: string;
            /** @description JSON text of the model; shortened to 2,000 characters. */
            arguments: string;
            /** @description Shortened to 2,000 characters. */
            result: string;
        };
        Usage: {
            data: components["schemas"]["UsageEntry"][];
            meta: {
                pagination: components["schemas"]["Pagination"];
                total: {
                    calls: number;
                    input_tokens: number;
                    output_tokens: number;
                    cached_tokens: number;
                    /** @description At the configured prices, with nine digits after the point. */
                    cost: number;
                };
            };
        };
        UsageEntry: {
            key: string;
            calls: number;
            input_tokens: number;
            output_tokens: number;
            cached_tokens: number;
            /** @description At the configured prices, with nine digits after the point. */
            cost: number;
        };
        ValidationError: {
            loc: string[];
            msg: string;
            type: string;
            /** @description What was refused; secrets in it are masked. */
            input: unknown;
            ctx?: {
                [key: string]: unknown;
            };
        };
        WaitingApproval: {
            /** Format: uuid */
            approval_id: string;
            /** Format: uuid */
            run_id: string;
            /** Format: uuid */
            session_id: string;
            tool_call_id: string;
            /** @description From the first agent to the one that calls. */
            agents: string[];
            server: string;
            tool: string;
            /** @description Secrets are masked. */
            arguments: {
                [key: string]: unknown;
            };
            /** @description JSON Schema of the tool's arguments, which edited ones have to fit. null while its server is not connected, and for one beyond 64 KiB. */
            arguments_schema: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            expires_at: string;
            how_to_decide: string;
        };
        /** @description The run that waits for you to allow or refuse tool calls. */
        WaitingRun: {
            /** Format: uuid */
            run_id: string;
            approval_ids: string[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSkills: {
        parameters: {
            query?: {
                /** @description Part of the name, the description and the like, in any case. */
                search?: string;
                /** @example false */
                is_platform_provided?: boolean;
                /**
                 * @description Only these.
                 * @example [
                 *       "files:read_file"
                 *     ]
                 */
                ids?: string[];
                "sort-by"?: "name" | "description" | "type" | "agent_count" | "tool_count";
                "sort-order"?: components["schemas"]["SortOrder"];
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21",
                     *           "platform_key": "",
                     *           "name": "explain-failure",
                     *           "description": "Explains a failed plan.",
                     *           "is_platform_provided": false,
                     *           "agent_count": 1,
                     *           "tool_count": 1,
                     *           "created_at": "2026-11-22T09:30:00.000Z",
                     *           "updated_at": "2026-11-22T09:30:04.250Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "total": 1,
                     *           "limit": 20,
                     *           "offset": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SkillList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "explain-failure",
                 *       "description": "Explains a failed plan.",
                 *       "content": "Read the log of the plan, then name the first task that failed and why.",
                 *       "mcp_tools": [
                 *         {
                 *           "server": "files",
                 *           "name": "read_file"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SkillToCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21",
                     *       "platform_key": "",
                     *       "name": "explain-failure",
                     *       "description": "Explains a failed plan.",
                     *       "is_platform_provided": false,
                     *       "agent_count": 1,
                     *       "content": "Read the log of the plan, then name the first task that failed and why.",
                     *       "mcp_tools": [
                     *         {
                     *           "server": "files",
                     *           "name": "read_file"
                     *         }
                     *       ],
                     *       "created_at": "2026-11-22T09:30:00.000Z",
                     *       "updated_at": "2026-11-22T09:30:04.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Skill"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21 */
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21",
                     *       "platform_key": "",
                     *       "name": "explain-failure",
                     *       "description": "Explains a failed plan.",
                     *       "is_platform_provided": false,
                     *       "agent_count": 1,
                     *       "content": "Read the log of the plan, then name the first task that failed and why.",
                     *       "mcp_tools": [
                     *         {
                     *           "server": "files",
                     *           "name": "read_file"
                     *         }
                     *       ],
                     *       "created_at": "2026-11-22T09:30:00.000Z",
                     *       "updated_at": "2026-11-22T09:30:04.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Skill"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21 */
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21 */
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Explains a failed plan."
                 *     }
                 */
                "application/json": components["schemas"]["SkillChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21",
                     *       "platform_key": "",
                     *       "name": "explain-failure",
                     *       "description": "Explains a failed plan.",
                     *       "is_platform_provided": false,
                     *       "agent_count": 1,
                     *       "content": "Read the log of the plan, then name the first task that failed and why.",
                     *       "mcp_tools": [
                     *         {
                     *           "server": "files",
                     *           "name": "read_file"
                     *         }
                     *       ],
                     *       "created_at": "2026-11-22T09:30:00.000Z",
                     *       "updated_at": "2026-11-22T09:30:04.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Skill"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAgents: {
        parameters: {
            query?: {
                /** @description Part of the name, the description and the like, in any case. */
                search?: string;
                /** @example false */
                is_platform_provided?: boolean;
                /** @example true */
                enabled?: boolean;
                "sort-by"?: "label" | "description" | "enabled" | "type" | "skill_count" | "tool_count";
                "sort-order"?: components["schemas"]["SortOrder"];
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12",
                     *           "platform_key": "",
                     *           "name": "engineer",
                     *           "label": "Platform engineer",
                     *           "description": "Deploys, and explains what failed.",
                     *           "enabled": true,
                     *           "is_default": false,
                     *           "is_orchestrator": false,
                     *           "is_platform_provided": false,
                     *           "display_order": 0,
                     *           "skill_count": 1,
                     *           "tool_count": 1,
                     *           "created_at": "2026-11-22T09:30:00.000Z",
                     *           "updated_at": "2026-11-22T09:30:04.250Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "total": 1,
                     *           "limit": 20,
                     *           "offset": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "engineer",
                 *       "label": "Platform engineer",
                 *       "description": "Deploys, and explains what failed.",
                 *       "instructions": "Answer in short sentences. Look before you answer.",
                 *       "enabled": true,
                 *       "is_default": false,
                 *       "display_order": 0,
                 *       "mcp_tools": [
                 *         {
                 *           "server": "files",
                 *           "name": "read_file"
                 *         }
                 *       ],
                 *       "skill_ids": [
                 *         "2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21"
                 *       ],
                 *       "subagent_ids": []
                 *     }
                 */
                "application/json": components["schemas"]["AgentToCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12",
                     *       "platform_key": "",
                     *       "name": "engineer",
                     *       "label": "Platform engineer",
                     *       "description": "Deploys, and explains what failed.",
                     *       "enabled": true,
                     *       "is_default": false,
                     *       "is_orchestrator": false,
                     *       "is_platform_provided": false,
                     *       "display_order": 0,
                     *       "instructions": "Answer in short sentences. Look before you answer.",
                     *       "subagent_ids": [],
                     *       "created_at": "2026-11-22T09:30:00.000Z",
                     *       "updated_at": "2026-11-22T09:30:04.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12 */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12",
                     *       "platform_key": "",
                     *       "name": "engineer",
                     *       "label": "Platform engineer",
                     *       "description": "Deploys, and explains what failed.",
                     *       "enabled": true,
                     *       "is_default": false,
                     *       "is_orchestrator": false,
                     *       "is_platform_provided": false,
                     *       "display_order": 0,
                     *       "instructions": "Answer in short sentences. Look before you answer.",
                     *       "subagent_ids": [],
                     *       "created_at": "2026-11-22T09:30:00.000Z",
                     *       "updated_at": "2026-11-22T09:30:04.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12 */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12 */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Deploys, and explains what failed.",
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["AgentChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12",
                     *       "platform_key": "",
                     *       "name": "engineer",
                     *       "label": "Platform engineer",
                     *       "description": "Deploys, and explains what failed.",
                     *       "enabled": true,
                     *       "is_default": false,
                     *       "is_orchestrator": false,
                     *       "is_platform_provided": false,
                     *       "display_order": 0,
                     *       "instructions": "Answer in short sentences. Look before you answer.",
                     *       "subagent_ids": [],
                     *       "created_at": "2026-11-22T09:30:00.000Z",
                     *       "updated_at": "2026-11-22T09:30:04.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCapabilities: {
        parameters: {
            query?: {
                /** @description Part of the name, the description and the like, in any case. */
                search?: string;
                /** @description `skill`, `tool` or both. */
                type?: string[];
                "sort-order"?: components["schemas"]["SortOrder"];
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: never;
            path: {
                /** @example 5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12 */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "files:read_file",
                     *           "display_name": "read_file",
                     *           "description": "Reads a file of the shared folder.",
                     *           "kind": "tool",
                     *           "server": "files",
                     *           "name": "read_file",
                     *           "inherited": false,
                     *           "children": [
                     *             {
                     *               "id": "files:read_file",
                     *               "display_name": "read_file",
                     *               "description": "Reads a file of the shared folder.",
                     *               "kind": "tool",
                     *               "server": "files",
                     *               "inherited": false
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "total": 1,
                     *           "limit": 20,
                     *           "offset": 0
                     *         },
                     *         "summary": {
                     *           "skill_count": 1,
                     *           "direct_tool_count": 1,
                     *           "effective_tool_count": 1,
                     *           "inherited_tool_count": 0,
                     *           "mcp_server_count": 1
                     *         },
                     *         "mcp_servers": [
                     *           {
                     *             "server": "files",
                     *             "tool_count": 1
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CapabilityList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addSkills: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12 */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "skill_ids": [
                 *         "2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SkillIds"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12",
                     *       "platform_key": "",
                     *       "name": "engineer",
                     *       "label": "Platform engineer",
                     *       "description": "Deploys, and explains what failed.",
                     *       "enabled": true,
                     *       "is_default": false,
                     *       "is_orchestrator": false,
                     *       "is_platform_provided": false,
                     *       "display_order": 0,
                     *       "instructions": "Answer in short sentences. Look before you answer.",
                     *       "subagent_ids": [],
                     *       "created_at": "2026-11-22T09:30:00.000Z",
                     *       "updated_at": "2026-11-22T09:30:04.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12 */
                agent_id: string;
                /** @example 2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21 */
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent does not have it any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addMcpTools: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12 */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mcp_tools": [
                 *         {
                 *           "server": "files",
                 *           "name": "read_file"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["McpToolRefs"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12",
                     *       "platform_key": "",
                     *       "name": "engineer",
                     *       "label": "Platform engineer",
                     *       "description": "Deploys, and explains what failed.",
                     *       "enabled": true,
                     *       "is_default": false,
                     *       "is_orchestrator": false,
                     *       "is_platform_provided": false,
                     *       "display_order": 0,
                     *       "instructions": "Answer in short sentences. Look before you answer.",
                     *       "subagent_ids": [],
                     *       "created_at": "2026-11-22T09:30:00.000Z",
                     *       "updated_at": "2026-11-22T09:30:04.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeMcpTool: {
        parameters: {
            query: {
                /** @example files */
                server: string;
                /** @example read_file */
                name: string;
            };
            header?: never;
            path: {
                /** @example 5d3e9b7c-1a2b-4c3d-8e4f-6a7b8c9d0e12 */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent does not have it by itself any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMcpTools: {
        parameters: {
            query?: {
                /** @description Part of the name, the description and the like, in any case. */
                search?: string;
                /** @description Tools of these servers. */
                server?: string[];
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "files:read_file",
                     *           "name": "read_file",
                     *           "description": "Reads a file of the shared folder.",
                     *           "server": "files"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "total": 1,
                     *           "limit": 20,
                     *           "offset": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["McpToolList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    lookupMcpTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "files:read_file"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["McpToolIds"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "files:read_file",
                     *         "name": "read_file",
                     *         "description": "Reads a file of the shared folder.",
                     *         "server": "files"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["McpTool"][];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getChangedMcpTools: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "files:read_file",
                     *           "server": "files",
                     *           "name": "read_file",
                     *           "description": "Reads a file of the shared folder.",
                     *           "input_schema": {
                     *             "type": "object",
                     *             "properties": {
                     *               "path": {
                     *                 "type": "string"
                     *               }
                     *             }
                     *           },
                     *           "annotations": {
                     *             "readOnlyHint": true
                     *           },
                     *           "fingerprint": "9f2c4e1a",
                     *           "is_new": true,
                     *           "seen_at": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "total": 1,
                     *           "limit": 20,
                     *           "offset": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedMcpToolList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    approveMcpTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tools": [
                 *         {
                 *           "id": "files:read_file",
                 *           "fingerprint": "9f2c4e1a"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["McpToolApproval"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "files:read_file",
                     *         "name": "read_file",
                     *         "description": "Reads a file of the shared folder.",
                     *         "server": "files"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["McpTool"][];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMcpServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "files",
                     *           "transport": "stdio",
                     *           "status": "connected",
                     *           "since": "2026-11-22T09:30:00.000Z",
                     *           "protocol": "2025-11-25",
                     *           "tool_count": 1,
                     *           "message": null,
                     *           "next_attempt_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["McpServerList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example greeting */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "greeting",
                     *       "value": "Good morning"
                     *     }
                     */
                    "application/json": components["schemas"]["ConfigEntry"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example greeting */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "Good morning"
                 *     }
                 */
                "application/json": components["schemas"]["ConfigValue"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "greeting",
                     *       "value": "Good morning"
                     *     }
                     */
                    "application/json": components["schemas"]["ConfigEntry"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLlmConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": "openai-compatible",
                     *       "endpoint": "https://models.example.com/v1",
                     *       "api_key": "",
                     *       "deployment": "",
                     *       "api_version": "",
                     *       "model": "general-large",
                     *       "custom_header": "",
                     *       "probe": {
                     *         "outcome": "ok",
                     *         "reason": "",
                     *         "message": "The model answered.",
                     *         "checked_at": "2026-11-22T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CheckedModelSettings"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createLlmConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider": "openai-compatible",
                 *       "endpoint": "https://models.example.com/v1",
                 *       "api_key": null,
                 *       "model": "general-large"
                 *     }
                 */
                "application/json": components["schemas"]["ModelSettings"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": "openai-compatible",
                     *       "endpoint": "https://models.example.com/v1",
                     *       "api_key": "",
                     *       "deployment": "",
                     *       "api_version": "",
                     *       "model": "general-large",
                     *       "custom_header": ""
                     *     }
                     */
                    "application/json": components["schemas"]["StoredModelSettings"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEmbedderConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": "openai-compatible",
                     *       "endpoint": "https://models.example.com/v1",
                     *       "api_key": "",
                     *       "deployment": "",
                     *       "api_version": "",
                     *       "model": "embedding-large",
                     *       "custom_header": "",
                     *       "probe": {
                     *         "outcome": "ok",
                     *         "reason": "",
                     *         "message": "The model answered.",
                     *         "checked_at": "2026-11-22T09:30:00.000Z"
                     *       },
                     *       "agreement": 0.72
                     *     }
                     */
                    "application/json": components["schemas"]["CheckedEmbedderSettings"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createEmbedderConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider": "openai-compatible",
                 *       "endpoint": "https://models.example.com/v1",
                 *       "api_key": null,
                 *       "model": "general-large"
                 *     }
                 */
                "application/json": components["schemas"]["ModelSettings"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": "openai-compatible",
                     *       "endpoint": "https://models.example.com/v1",
                     *       "api_key": "",
                     *       "deployment": "",
                     *       "api_version": "",
                     *       "model": "general-large",
                     *       "custom_header": ""
                     *     }
                     */
                    "application/json": components["schemas"]["StoredModelSettings"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRegisteredAgents: {
        parameters: {
            query?: {
                /** @description Part of the name, the description and the like, in any case. */
                search?: string;
                active?: boolean;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "8e4f1a2b-3c4d-4e5f-9a6b-7c8d9e0f1a23",
                     *           "name": "costs",
                     *           "title": "costs",
                     *           "description": "Answers questions about costs.",
                     *           "endpoint": "https://costs.example.com/a2a",
                     *           "payload": {},
                     *           "need_authentication": true,
                     *           "active": true
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "total": 1,
                     *           "limit": 20,
                     *           "offset": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExternalAgentList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    registerAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "costs",
                 *       "description": "Answers questions about costs.",
                 *       "endpoint": "https://costs.example.com/a2a",
                 *       "payload": {},
                 *       "need_authentication": true,
                 *       "active": true
                 *     }
                 */
                "application/json": components["schemas"]["ExternalAgentToRegister"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8e4f1a2b-3c4d-4e5f-9a6b-7c8d9e0f1a23",
                     *       "name": "costs",
                     *       "title": "costs",
                     *       "description": "Answers questions about costs.",
                     *       "endpoint": "https://costs.example.com/a2a",
                     *       "payload": {},
                     *       "need_authentication": true,
                     *       "active": true
                     *     }
                     */
                    "application/json": components["schemas"]["ExternalAgent"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRegisteredAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 8e4f1a2b-3c4d-4e5f-9a6b-7c8d9e0f1a23 */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8e4f1a2b-3c4d-4e5f-9a6b-7c8d9e0f1a23",
                     *       "name": "costs",
                     *       "title": "costs",
                     *       "description": "Answers questions about costs.",
                     *       "endpoint": "https://costs.example.com/a2a",
                     *       "payload": {},
                     *       "need_authentication": true,
                     *       "active": true
                     *     }
                     */
                    "application/json": components["schemas"]["ExternalAgent"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteRegisteredAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 8e4f1a2b-3c4d-4e5f-9a6b-7c8d9e0f1a23 */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 8e4f1a2b-3c4d-4e5f-9a6b-7c8d9e0f1a23 */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": components["schemas"]["ExternalAgentChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8e4f1a2b-3c4d-4e5f-9a6b-7c8d9e0f1a23",
                     *       "name": "costs",
                     *       "title": "costs",
                     *       "description": "Answers questions about costs.",
                     *       "endpoint": "https://costs.example.com/a2a",
                     *       "payload": {},
                     *       "need_authentication": true,
                     *       "active": true
                     *     }
                     */
                    "application/json": components["schemas"]["ExternalAgent"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTokenKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "OKP",
                     *           "crv": "Ed25519",
                     *           "kid": "2026-11",
                     *           "use": "sig",
                     *           "alg": "EdDSA"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TokenKeys"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34",
                     *           "title": "The failed plan of positions",
                     *           "agent_id": null,
                     *           "waiting": null,
                     *           "created_at": "2026-11-22T09:30:00.000Z",
                     *           "updated_at": "2026-11-22T09:30:04.250Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "total": 1,
                     *           "limit": 20,
                     *           "offset": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchSessions: {
        parameters: {
            query: {
                /**
                 * @description Each word is the beginning of a word of the title or of one message.
                 * @example what is stuck
                 */
                q: string;
                /** @example 20 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "session_id": "b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34",
                     *           "title": "The failed plan of positions",
                     *           "matches": "message",
                     *           "message_id": "41",
                     *           "role": "user",
                     *           "excerpt": "Why did the last plan of positions fail?",
                     *           "at": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 20,
                     *         "more": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FoundSessionList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessionMessages: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: never;
            path: {
                /** @example b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "a9b8c7d6-e5f4-4321-8fed-cba987654367",
                     *           "run_id": "d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45",
                     *           "role": "user",
                     *           "content": "Why did the last plan of positions fail?",
                     *           "tool_calls": [
                     *             {
                     *               "id": "call_cba987654367_1",
                     *               "name": "platform__get_plan",
                     *               "arguments": "{\"planToken\":\"7c9e6679-7425-40de-944b-e07fc1f90ae7\"}",
                     *               "result": "{\"status\":\"FAILED\"}"
                     *             }
                     *           ],
                     *           "skills": [
                     *             "explain-failure"
                     *           ],
                     *           "created_at": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "total": 1,
                     *           "limit": 20,
                     *           "offset": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchSessionTitle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "The failed plan of positions"
                 *     }
                 */
                "application/json": components["schemas"]["SessionTitle"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": null;
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    task: {
        parameters: {
            query?: {
                /** @description `ui` for AI SDK UI, `openai` for Chat Completions and `responses` for Responses clients. */
                format?: "agui" | "ui" | "openai" | "responses";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "Why did the last plan of positions fail?",
                 *       "session_id": "b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34"
                 *     }
                 */
                "application/json": components["schemas"]["TaskRequest"];
            };
        };
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example data: {"type":"RUN_STARTED","threadId":"b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34","runId":"d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45"}
                     *
                     *     data: {"type":"TEXT_MESSAGE_START","messageId":"message-1","role":"assistant"}
                     *
                     *     data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"message-1","delta":"The warehouse refused the column depot: it exists with another type."}
                     *
                     *     data: {"type":"TEXT_MESSAGE_END","messageId":"message-1"}
                     *
                     *     data: {"type":"RUN_FINISHED","threadId":"b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34","runId":"d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45"}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    taskSync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "Why did the last plan of positions fail?",
                 *       "session_id": "b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34"
                 *     }
                 */
                "application/json": components["schemas"]["TaskRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The warehouse refused the column depot: it exists with another type.",
                     *       "title": "The failed plan of positions",
                     *       "session_id": "b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34",
                     *       "request_id": "question-1"
                     *     }
                     */
                    "application/json": components["schemas"]["TaskResult"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45",
                     *       "session_id": "b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34",
                     *       "request_id": "question-1",
                     *       "status": "waiting",
                     *       "waiting": "an approval",
                     *       "approvals": [
                     *         {
                     *           "id": "f0e1d2c3-b4a5-4968-8776-5a4b3c2d1e56",
                     *           "tool_call_id": "call-1",
                     *           "agents": [
                     *             "engineer"
                     *           ],
                     *           "server": "files",
                     *           "tool": "deploy_unit",
                     *           "arguments": {
                     *             "unit": "urn:dmb:dp:fleet:positions:0",
                     *             "environment": "development"
                     *           },
                     *           "status": "pending",
                     *           "reason": null,
                     *           "edited_arguments": null,
                     *           "created_at": "2026-11-22T09:30:00.000Z",
                     *           "expires_at": "2026-11-23T09:30:00.000Z",
                     *           "arguments_schema": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    streamRunEvents: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: {
                "last-event-id"?: string;
            };
            path: {
                /** @example d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example data: {"type":"RUN_STARTED","threadId":"b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34","runId":"d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45"}
                     *
                     *     data: {"type":"TEXT_MESSAGE_START","messageId":"message-1","role":"assistant"}
                     *
                     *     data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"message-1","delta":"The warehouse refused the column depot: it exists with another type."}
                     *
                     *     data: {"type":"TEXT_MESSAGE_END","messageId":"message-1"}
                     *
                     *     data: {"type":"RUN_FINISHED","threadId":"b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34","runId":"d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45"}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description The run has ended and the caller has its last event. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                by?: "agent" | "model" | "run" | "session" | "user";
                /** @description `all` is for operators; others are refused. */
                owner?: "me" | "all";
                from?: string;
                until?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "key": "engineer",
                     *           "calls": 3,
                     *           "input_tokens": 2410,
                     *           "output_tokens": 188,
                     *           "cached_tokens": 0,
                     *           "cost": 0.0142
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "total": 1,
                     *           "limit": 20,
                     *           "offset": 0
                     *         },
                     *         "total": {
                     *           "calls": 3,
                     *           "input_tokens": 2410,
                     *           "output_tokens": 188,
                     *           "cached_tokens": 0,
                     *           "cost": 0.0142
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45",
                     *       "status": "cancelled"
                     *     }
                     */
                    "application/json": components["schemas"]["RunStatus"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "approval_id": "f0e1d2c3-b4a5-4968-8776-5a4b3c2d1e56",
                     *           "run_id": "d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45",
                     *           "session_id": "b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34",
                     *           "tool_call_id": "call-1",
                     *           "agents": [
                     *             "engineer"
                     *           ],
                     *           "server": "files",
                     *           "tool": "deploy_unit",
                     *           "arguments": {
                     *             "unit": "urn:dmb:dp:fleet:positions:0",
                     *             "environment": "development"
                     *           },
                     *           "arguments_schema": {},
                     *           "since": "2026-11-22T09:30:00.000Z",
                     *           "expires_at": "2026-11-23T09:30:00.000Z",
                     *           "how_to_decide": "POST /api/assistant/v2/runs/{run_id}/approvals/{approval_id} with {\"approved\": true}"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "total": 1,
                     *           "limit": 20,
                     *           "offset": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ApprovalList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    decideApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45 */
                run_id: string;
                /** @example f0e1d2c3-b4a5-4968-8776-5a4b3c2d1e56 */
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "approved": true,
                 *       "reason": null,
                 *       "arguments": null
                 *     }
                 */
                "application/json": components["schemas"]["ApprovalDecision"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "f0e1d2c3-b4a5-4968-8776-5a4b3c2d1e56",
                     *       "status": "approved"
                     *     }
                     */
                    "application/json": components["schemas"]["DecidedApproval"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    aguiRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "threadId": "b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34",
                 *       "runId": "d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "Why did the last plan of positions fail?"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AguiRequest"];
            };
        };
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example data: {"type":"RUN_STARTED","threadId":"b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34","runId":"d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45"}
                     *
                     *     data: {"type":"TEXT_MESSAGE_START","messageId":"message-1","role":"assistant"}
                     *
                     *     data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"message-1","delta":"The warehouse refused the column depot: it exists with another type."}
                     *
                     *     data: {"type":"TEXT_MESSAGE_END","messageId":"message-1"}
                     *
                     *     data: {"type":"RUN_FINISHED","threadId":"b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34","runId":"d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45"}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    uiChat: {
        parameters: {
            query?: {
                /** @description Whether the run goes on when the client disconnects. Otherwise that cancels it. */
                resume?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "parts": [
                 *             {
                 *               "type": "text",
                 *               "text": "Why did the last plan of positions fail?"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChatRequest"];
            };
        };
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example data: {"type":"start","messageId":"d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45"}
                     *
                     *     data: {"type":"text-start","id":"text-1"}
                     *
                     *     data: {"type":"text-delta","id":"text-1","delta":"The warehouse refused the column depot: it exists with another type."}
                     *
                     *     data: {"type":"text-end","id":"text-1"}
                     *
                     *     data: {"type":"finish"}
                     *
                     *     data: [DONE]
                     */
                    "text/event-stream": string;
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resumeUiChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34 */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example data: {"type":"start","messageId":"d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45"}
                     *
                     *     data: {"type":"text-start","id":"text-1"}
                     *
                     *     data: {"type":"text-delta","id":"text-1","delta":"The warehouse refused the column depot: it exists with another type."}
                     *
                     *     data: {"type":"text-end","id":"text-1"}
                     *
                     *     data: {"type":"finish"}
                     *
                     *     data: [DONE]
                     */
                    "text/event-stream": string;
                };
            };
            /** @description Nothing is being answered. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "engineer",
                     *           "object": "model",
                     *           "created": 1795339800,
                     *           "owned_by": "plinth"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example engineer */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "engineer",
                     *       "object": "model",
                     *       "created": 0,
                     *       "owned_by": "plinth"
                     *     }
                     */
                    "application/json": components["schemas"]["Model"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    getResponse: {
        parameters: {
            query?: {
                /** @description Whether it is answered as a stream of its events. */
                stream?: boolean;
                /** @description With `stream`: the `sequence_number` of the last event that the client has. */
                starting_after?: number;
            };
            header?: never;
            path: {
                /** @example resp_d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45 */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45",
                     *       "object": "response",
                     *       "created_at": 1795339800,
                     *       "status": "in_progress",
                     *       "model": "engineer",
                     *       "output": []
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                    /** @example data: {"type":"response.output_text.delta","delta":"The warehouse refused the column depot: it exists with another type."} */
                    "text/event-stream": string;
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    createChatCompletion: {
        parameters: {
            query?: {
                /** @description Whether the run goes on when the client disconnects. Otherwise that cancels it. */
                resume?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "engineer",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "Why did the last plan of positions fail?"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45",
                     *       "object": "chat.completion",
                     *       "created": 1795339800,
                     *       "model": "engineer",
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "message": {
                     *             "role": "assistant",
                     *             "content": "The warehouse refused the column depot: it exists with another type."
                     *           },
                     *           "finish_reason": "stop"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "prompt_tokens": 812,
                     *         "completion_tokens": 21,
                     *         "total_tokens": 833
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                    /**
                     * @example data: {"id":"d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45","object":"chat.completion.chunk","created":1795339800,"model":"engineer","choices":[{"index":0,"delta":{"role":"assistant","content":"The warehouse refused the column depot: it exists with another type."},"finish_reason":null}]}
                     *
                     *     data: [DONE]
                     */
                    "text/event-stream": string;
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    createResponse: {
        parameters: {
            query?: {
                /** @description Whether the run goes on when the client disconnects. Otherwise that cancels it. */
                resume?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "engineer",
                 *       "input": "Why did the last plan of positions fail?"
                 *     }
                 */
                "application/json": components["schemas"]["ResponseRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45",
                     *       "object": "response",
                     *       "created_at": 1795339800,
                     *       "status": "completed",
                     *       "model": "engineer",
                     *       "output": [
                     *         {
                     *           "type": "message",
                     *           "id": "message-1",
                     *           "role": "assistant",
                     *           "content": [
                     *             {
                     *               "type": "output_text",
                     *               "text": "The warehouse refused the column depot: it exists with another type."
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                    /** @example data: {"type":"response.output_text.delta","delta":"The warehouse refused the column depot: it exists with another type."} */
                    "text/event-stream": string;
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    a2a: {
        parameters: {
            query?: {
                /**
                 * @description In place of the header of that name.
                 * @example 1.0
                 */
                "A2A-Version"?: string;
            };
            header?: {
                /**
                 * @description 1.0 or 0.3; 0.3 when it is missing.
                 * @example 1.0
                 */
                "a2a-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "SendMessage",
                 *       "params": {
                 *         "message": {
                 *           "messageId": "message-1",
                 *           "role": "ROLE_USER",
                 *           "parts": [
                 *             {
                 *               "text": "Why did the last plan of positions fail?"
                 *             }
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["A2aRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {
                     *         "task": {
                     *           "id": "d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45",
                     *           "contextId": "b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34",
                     *           "status": {
                     *             "state": "TASK_STATE_COMPLETED"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["A2aAnswer"];
                    /** @example data: {"jsonrpc":"2.0","id":1,"result":{"task":{"id":"d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45","contextId":"b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34","status":{"state":"TASK_STATE_COMPLETED"}}}} */
                    "text/event-stream": string;
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Success */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aAnswer"];
                };
            };
            /** @description Success */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aAnswer"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    a2aOfAgent: {
        parameters: {
            query?: {
                /**
                 * @description In place of the header of that name.
                 * @example 1.0
                 */
                "A2A-Version"?: string;
            };
            header?: {
                /**
                 * @description 1.0 or 0.3; 0.3 when it is missing.
                 * @example 1.0
                 */
                "a2a-version"?: string;
            };
            path: {
                /**
                 * @description Name or id of an agent.
                 * @example engineer
                 */
                agent_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "SendMessage",
                 *       "params": {
                 *         "message": {
                 *           "messageId": "message-1",
                 *           "role": "ROLE_USER",
                 *           "parts": [
                 *             {
                 *               "text": "Why did the last plan of positions fail?"
                 *             }
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["A2aRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {
                     *         "task": {
                     *           "id": "d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45",
                     *           "contextId": "b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34",
                     *           "status": {
                     *             "state": "TASK_STATE_COMPLETED"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["A2aAnswer"];
                    /** @example data: {"jsonrpc":"2.0","id":1,"result":{"task":{"id":"d4c3b2a1-6f5e-4b7a-9d8c-1f0e3b2a5d45","contextId":"b1a2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c34","status":{"state":"TASK_STATE_COMPLETED"}}}} */
                    "text/event-stream": string;
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Success */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aAnswer"];
                };
            };
            /** @description Success */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aAnswer"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWellKnownCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Platform engineer",
                     *       "description": "Deploys, and explains what failed.",
                     *       "version": "0.1.0",
                     *       "protocolVersion": "0.3.0",
                     *       "url": "https://plinth.example.com/api/assistant/a2a",
                     *       "preferredTransport": "JSONRPC",
                     *       "supportedInterfaces": [
                     *         {
                     *           "url": "https://plinth.example.com/api/assistant/a2a",
                     *           "protocolBinding": "JSONRPC",
                     *           "protocolVersion": "1.0"
                     *         }
                     *       ],
                     *       "provider": {
                     *         "organization": "Plinth",
                     *         "url": "https://plinth.example.com"
                     *       },
                     *       "capabilities": {
                     *         "streaming": true,
                     *         "pushNotifications": false,
                     *         "stateTransitionHistory": false,
                     *         "extendedAgentCard": false
                     *       },
                     *       "supportsAuthenticatedExtendedCard": false,
                     *       "securitySchemes": {
                     *         "bearer": {
                     *           "type": "http",
                     *           "scheme": "bearer"
                     *         }
                     *       },
                     *       "securityRequirements": [
                     *         {
                     *           "schemes": {
                     *             "bearer": {
                     *               "list": []
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "security": [
                     *         {
                     *           "bearer": []
                     *         }
                     *       ],
                     *       "defaultInputModes": [
                     *         "text/plain"
                     *       ],
                     *       "defaultOutputModes": [
                     *         "text/plain"
                     *       ],
                     *       "skills": [
                     *         {
                     *           "id": "2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21",
                     *           "name": "explain-failure",
                     *           "description": "Explains a failed plan.",
                     *           "tags": [
                     *             "skill"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getA2aCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Platform engineer",
                     *       "description": "Deploys, and explains what failed.",
                     *       "version": "0.1.0",
                     *       "protocolVersion": "0.3.0",
                     *       "url": "https://plinth.example.com/api/assistant/a2a",
                     *       "preferredTransport": "JSONRPC",
                     *       "supportedInterfaces": [
                     *         {
                     *           "url": "https://plinth.example.com/api/assistant/a2a",
                     *           "protocolBinding": "JSONRPC",
                     *           "protocolVersion": "1.0"
                     *         }
                     *       ],
                     *       "provider": {
                     *         "organization": "Plinth",
                     *         "url": "https://plinth.example.com"
                     *       },
                     *       "capabilities": {
                     *         "streaming": true,
                     *         "pushNotifications": false,
                     *         "stateTransitionHistory": false,
                     *         "extendedAgentCard": false
                     *       },
                     *       "supportsAuthenticatedExtendedCard": false,
                     *       "securitySchemes": {
                     *         "bearer": {
                     *           "type": "http",
                     *           "scheme": "bearer"
                     *         }
                     *       },
                     *       "securityRequirements": [
                     *         {
                     *           "schemes": {
                     *             "bearer": {
                     *               "list": []
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "security": [
                     *         {
                     *           "bearer": []
                     *         }
                     *       ],
                     *       "defaultInputModes": [
                     *         "text/plain"
                     *       ],
                     *       "defaultOutputModes": [
                     *         "text/plain"
                     *       ],
                     *       "skills": [
                     *         {
                     *           "id": "2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21",
                     *           "name": "explain-failure",
                     *           "description": "Explains a failed plan.",
                     *           "tags": [
                     *             "skill"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getA2aCardOfAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name or id of an agent.
                 * @example engineer
                 */
                agent_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Platform engineer",
                     *       "description": "Deploys, and explains what failed.",
                     *       "version": "0.1.0",
                     *       "protocolVersion": "0.3.0",
                     *       "url": "https://plinth.example.com/api/assistant/a2a",
                     *       "preferredTransport": "JSONRPC",
                     *       "supportedInterfaces": [
                     *         {
                     *           "url": "https://plinth.example.com/api/assistant/a2a",
                     *           "protocolBinding": "JSONRPC",
                     *           "protocolVersion": "1.0"
                     *         }
                     *       ],
                     *       "provider": {
                     *         "organization": "Plinth",
                     *         "url": "https://plinth.example.com"
                     *       },
                     *       "capabilities": {
                     *         "streaming": true,
                     *         "pushNotifications": false,
                     *         "stateTransitionHistory": false,
                     *         "extendedAgentCard": false
                     *       },
                     *       "supportsAuthenticatedExtendedCard": false,
                     *       "securitySchemes": {
                     *         "bearer": {
                     *           "type": "http",
                     *           "scheme": "bearer"
                     *         }
                     *       },
                     *       "securityRequirements": [
                     *         {
                     *           "schemes": {
                     *             "bearer": {
                     *               "list": []
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "security": [
                     *         {
                     *           "bearer": []
                     *         }
                     *       ],
                     *       "defaultInputModes": [
                     *         "text/plain"
                     *       ],
                     *       "defaultOutputModes": [
                     *         "text/plain"
                     *       ],
                     *       "skills": [
                     *         {
                     *           "id": "2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21",
                     *           "name": "explain-failure",
                     *           "description": "Explains a failed plan.",
                     *           "tags": [
                     *             "skill"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/list"
                 *     }
                 */
                "application/json": components["schemas"]["McpRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {
                     *         "tools": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["McpAnswer"];
                };
            };
            /** @description A notification was taken. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Success */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpAnswer"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Success */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpAnswer"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAuthorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "https://plinth.example",
                     *       "authorization_endpoint": "https://plinth.example/mcp/oauth/authorize",
                     *       "token_endpoint": "https://plinth.example/mcp/oauth/token",
                     *       "registration_endpoint": "https://plinth.example/mcp/oauth/register",
                     *       "jwks_uri": "https://plinth.example/api/assistant/v2/keys",
                     *       "scopes_supported": [
                     *         "openid"
                     *       ],
                     *       "response_types_supported": [
                     *         "code"
                     *       ],
                     *       "response_modes_supported": [
                     *         "query"
                     *       ],
                     *       "grant_types_supported": [
                     *         "authorization_code",
                     *         "refresh_token"
                     *       ],
                     *       "code_challenge_methods_supported": [
                     *         "S256"
                     *       ],
                     *       "token_endpoint_auth_methods_supported": [
                     *         "none"
                     *       ],
                     *       "authorization_response_iss_parameter_supported": true,
                     *       "subject_types_supported": [
                     *         "public"
                     *       ],
                     *       "id_token_signing_alg_values_supported": [
                     *         "RS256"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuthorizationServer"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOpenIdConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "https://plinth.example",
                     *       "authorization_endpoint": "https://plinth.example/mcp/oauth/authorize",
                     *       "token_endpoint": "https://plinth.example/mcp/oauth/token",
                     *       "registration_endpoint": "https://plinth.example/mcp/oauth/register",
                     *       "jwks_uri": "https://plinth.example/api/assistant/v2/keys",
                     *       "scopes_supported": [
                     *         "openid"
                     *       ],
                     *       "response_types_supported": [
                     *         "code"
                     *       ],
                     *       "response_modes_supported": [
                     *         "query"
                     *       ],
                     *       "grant_types_supported": [
                     *         "authorization_code",
                     *         "refresh_token"
                     *       ],
                     *       "code_challenge_methods_supported": [
                     *         "S256"
                     *       ],
                     *       "token_endpoint_auth_methods_supported": [
                     *         "none"
                     *       ],
                     *       "authorization_response_iss_parameter_supported": true,
                     *       "subject_types_supported": [
                     *         "public"
                     *       ],
                     *       "id_token_signing_alg_values_supported": [
                     *         "RS256"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuthorizationServer"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    beginSignIn: {
        parameters: {
            query?: {
                /** @example plinth-desktop */
                client_id?: string;
                redirect_uri?: string;
                response_type?: string;
                code_challenge?: string;
                code_challenge_method?: string;
                state?: string;
                /** @example openid */
                scope?: string;
                resource?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next page of the sign-in. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSignIn: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                iss?: string;
                error?: string;
                /** @example The code has expired. */
                error_description?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next page of the sign-in. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    registerClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "redirect_uris": [
                 *         "http://127.0.0.1:33418/callback"
                 *       ],
                 *       "client_name": "Editor"
                 *     }
                 */
                "application/json": components["schemas"]["McpClientToRegister"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "client_id": "plinth-desktop",
                     *       "client_name": "Editor",
                     *       "redirect_uris": [
                     *         "http://127.0.0.1:33418/callback"
                     *       ],
                     *       "grant_types": [
                     *         "authorization_code",
                     *         "refresh_token"
                     *       ],
                     *       "response_types": [
                     *         "code"
                     *       ],
                     *       "token_endpoint_auth_method": "none",
                     *       "scope": "openid"
                     *     }
                     */
                    "application/json": components["schemas"]["McpClient"];
                };
            };
            /** @description Success */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OauthError"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "…",
                     *       "token_type": "Bearer",
                     *       "expires_in": 3600,
                     *       "refresh_token": "refresh-1",
                     *       "scope": "openid"
                     *     }
                     */
                    "application/json": components["schemas"]["OauthToken"];
                };
            };
            /** @description Success */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OauthError"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProtectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource": "https://plinth.example/mcp",
                     *       "resource_name": "Plinth",
                     *       "authorization_servers": [
                     *         "https://id.example"
                     *       ],
                     *       "scopes_supported": [
                     *         "openid"
                     *       ],
                     *       "bearer_methods_supported": [
                     *         "header"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProtectedResourceAtRoot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource": "https://plinth.example/mcp",
                     *       "resource_name": "Plinth",
                     *       "authorization_servers": [
                     *         "https://id.example"
                     *       ],
                     *       "scopes_supported": [
                     *         "openid"
                     *       ],
                     *       "bearer_methods_supported": [
                     *         "header"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchKnowledge: {
        parameters: {
            query: {
                /**
                 * @description Words, names or a whole question. Nothing in it is an operator.
                 * @example what is stuck
                 */
                q: string;
                /** @description Only records of these kinds; all kinds unless given. */
                kind?: components["schemas"]["SearchHitKind"][];
                /** @example 20 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "kind": "page",
                     *           "key": "docs/guides/running-plans.md",
                     *           "title": "Running plans",
                     *           "excerpt": "A task that does not progress says why in `waiting`.",
                     *           "score": 0.82,
                     *           "reference": "docs/guides/running-plans.md"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "mode": "lexical",
                     *         "index": {
                     *           "updated_at": "2026-11-22T09:30:04.250Z",
                     *           "documents": 214,
                     *           "has_embedder": false,
                     *           "waiting_for_vectors": 0,
                     *           "last_error": null,
                     *           "retry_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportRecords: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example the bytes of records.tar.gz */
                    "application/gzip": string;
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    importRecords: {
        parameters: {
            query?: {
                /**
                 * @description Checks all and says what would be done.
                 * @example true
                 */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "archive": "records.tar.gz"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["RecordsArchive"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": true,
                     *       "records": [
                     *         {
                     *           "kind": "skill",
                     *           "path": "skills/explain-failure.yaml",
                     *           "id": "2c7f1f0a-8c1e-4f5b-9f1d-0a6b5c4d3e21",
                     *           "name": "explain-failure",
                     *           "action": "created"
                     *         }
                     *       ],
                     *       "notes": []
                     *     }
                     */
                    "application/json": components["schemas"]["ImportResult"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The input is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
