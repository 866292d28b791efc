/**
 * Every span that a process records, with its attributes. Spans are begun only through this table, and docs/reference/spans.md is made of
 * it. Names and attributes are those of OpenTelemetry's semantic conventions where these have some; the others begin with `plinth.`.
 */

export interface SpanKindTable<A extends string> {
  role: "server" | "client" | "internal";
  /** Its name, with the attributes that it is made of. */
  name: string;
  /** Of what work, and from when to when. */
  about: string;
  /** What it is a part of. */
  parent: string;
  /** What they mean, by name. */
  attributes: Readonly<Record<A, string>>;
}

const define = <A extends string>(kind: SpanKindTable<A>): SpanKindTable<A> => kind;

const errorType = {
  "error.type":
    "Only of a span with the status ERROR: a status, a code of the product, or the class of the error",
} as const;

const agentRun = "A run of the assistant, and a call of another agent in it";

export const spanKinds = {
  request: define({
    role: "server",
    name: "{http.request.method} {http.route}",
    about:
      "A request to this process, from its first line to the end of the answer; without a route: only the method",
    parent: "the caller's span, by the header `traceparent`",
    attributes: {
      "http.request.method": "`_OTHER` for a method that HTTP does not define",
      "http.request.method_original": "The method, where that is `_OTHER`",
      "http.route": "The path with its `{parameters}`",
      "url.path": "The path; capabilities in it are masked, and the query is left out",
      "url.scheme": "`http`, or `https` where this process ends TLS",
      "network.protocol.version": "`1.1` or `1.0`",
      "http.response.status_code": "499 when the client was gone before the end of the answer",
      "plinth.operation": "`operationId` of the operation",
      "plinth.request.id": "`X-Request-Id`, the same as in the log",
      ...errorType,
    },
  }),
  call: define({
    role: "client",
    name: "{http.request.method} {url.template}",
    about:
      "One HTTP exchange with another program: an adapter, a model, an MCP server, a hook; of an answer that streams, until its head. " +
      "Without a template: only the method",
    parent: "the work that makes the call",
    attributes: {
      "http.request.method": "The method",
      "url.full":
        "Scheme, host and, where the path is the product's own, the path; otherwise `REDACTED`. Never a query",
      "url.template": "The path with its `{parameters}`, where the product knows it",
      "server.address": "Host of the address",
      "server.port": "Port of the address",
      "http.response.status_code": "The status of the answer",
      "plinth.outbound.purpose":
        "What is called: `adapters`, `models`, `mcpServers`, … as in `outbound.privateNetworks`",
      "plinth.adapter.call":
        "Of an adapter: `start`, `poll`, `terminate`, `validate`, `start-validation`, `poll-validation`",
      "plinth.idempotency_key": "Of an adapter: the key of the call, the same in each repeat",
      ...errorType,
    },
  }),
  plan: define({
    role: "internal",
    name: "plan {plinth.plan.action}",
    about:
      "An execution plan, from its claim by a worker to its end. A plan that another process takes over has one for each claim",
    parent: "the request that started the plan",
    attributes: {
      "plinth.plan.id": "The token of the plan",
      "plinth.plan.kind": "`PROVISIONING`, `VALIDATION`, `ACCESS`, …",
      "plinth.plan.action": "What it does, as in its operation",
      "plinth.plan.claim": "1 at first, one more for each worker that has taken it over",
      "plinth.plan.status":
        "When the span ended; `RUNNING` when the plan was handed over or its claim was lost",
      "plinth.unit.id": "The deployment unit",
      "plinth.environment": "The environment",
      ...errorType,
    },
  }),
  task: define({
    role: "internal",
    name: "task {plinth.task.action}",
    about:
      "A task of a plan, from when it has a slot to its end. A task that is resumed has one for each claim of its plan",
    parent: "the plan",
    attributes: {
      "plinth.plan.id": "The token of its plan",
      "plinth.task.id": "The task, as in the plan's answer",
      "plinth.task.action": "`PROVISION`, `UNPROVISION`, `VALIDATE_COMPONENT`, …",
      "plinth.task.status": "When the span ended",
      "plinth.task.attempts": "Calls that were made until then, those of earlier claims included",
      "plinth.component.id": "The component",
      "plinth.adapter.id": "The tech adapter",
      ...errorType,
    },
  }),
  instantiation: define({
    role: "internal",
    name: "instantiate {plinth.template.ref}",
    about: "An instantiation of a template, from its claim by a worker to its end; one for each claim",
    parent: "the request that started it",
    attributes: {
      "plinth.instantiation.id": "The instantiation",
      "plinth.template.ref": "Entity reference of the template",
      "plinth.instantiation.claim": "1 at first, one more for each worker that has taken it over",
      "plinth.instantiation.status": "`completed` or `failed`; absent when it was handed over or cancelled",
      ...errorType,
    },
  }),
  step: define({
    role: "internal",
    name: "step {plinth.step.action}",
    about: "A step of an instantiation, with its condition and all its iterations",
    parent: "the instantiation",
    attributes: {
      "plinth.instantiation.id": "The instantiation",
      "plinth.step.id": "The step's id in the template",
      "plinth.step.action": "The action, for example `fetch:template`",
      "plinth.step.status": "`completed`, `skipped` or `failed`",
      ...errorType,
    },
  }),
  agent: define({
    role: "internal",
    name: "invoke_agent {gen_ai.agent.name}",
    about: `${agentRun}. A run begins with its claim by a worker and ends with it: at the end, a wait for the user, or a hand-over`,
    parent: "the request that asked; of an agent that was called, the run",
    attributes: {
      "gen_ai.operation.name": "`invoke_agent`",
      "gen_ai.agent.name": "The agent; absent when it is not available",
      "gen_ai.agent.id": "The agent",
      "gen_ai.conversation.id": "The session",
      "plinth.run.id": "The run",
      "plinth.run.claim": "1 at first, one more for each time that a worker has taken it",
      ...errorType,
    },
  }),
  chat: define({
    role: "client",
    name: "chat {gen_ai.request.model}",
    about: "A turn of a model: from the request to the end of its answer, retries included",
    parent: "the run or the called agent",
    attributes: {
      "gen_ai.operation.name": "`chat`",
      "gen_ai.provider.name":
        "`openai`, `azure.ai.openai`, `anthropic`, `gcp.gemini`, `aws.bedrock`, or the configured provider",
      "gen_ai.request.model": "The model, as configured",
      "gen_ai.agent.name": "The agent that asks",
      "gen_ai.conversation.id": "The session",
      "gen_ai.response.finish_reasons": "`stop`, `tool_calls` or `length`",
      "gen_ai.usage.input_tokens":
        "As reported, cached ones included; absent when the provider does not report it",
      "gen_ai.usage.output_tokens": "As reported",
      "gen_ai.usage.cache_read.input_tokens": "As reported",
      ...errorType,
    },
  }),
  embeddings: define({
    role: "client",
    name: "embeddings {gen_ai.request.model}",
    about: "Vectors for texts of the search index or of a query",
    parent: "the work that searches or indexes",
    attributes: {
      "gen_ai.operation.name": "`embeddings`",
      "gen_ai.provider.name": "As of `chat`",
      "gen_ai.request.model": "The model, as configured",
      ...errorType,
    },
  }),
  tool: define({
    role: "internal",
    name: "execute_tool {gen_ai.tool.name}",
    about: "A call of a tool by an agent, once it is permitted. Neither arguments nor results are recorded",
    parent: "the run or the called agent",
    attributes: {
      "gen_ai.operation.name": "`execute_tool`",
      "gen_ai.tool.name": "The tool",
      "gen_ai.tool.call.id": "As in the events of the run",
      "gen_ai.tool.type": "`function`",
      "plinth.tool.server": "Where the tool comes from: `platform`, or the name of an MCP server",
      ...errorType,
    },
  }),
  round: define({
    role: "internal",
    name: "round {plinth.round.name}",
    about: "A look of a worker for due work that has found some; rounds that find nothing leave no span",
    parent: "none, or the job that has caused it",
    attributes: {
      "plinth.round.name": "What is looked for: `a plan`, `a run`, `hooks`, `outgoing events`, …",
      "plinth.round.found": "How much work it has begun",
    },
  }),
  work: define({
    role: "internal",
    name: "work {plinth.work.name}",
    about: "Short background work on one row, for example a delivery of a webhook or a call of a hook",
    parent: "the request that caused it, where the row knows it, else the round",
    attributes: {
      "plinth.work.name": "As `plinth.round.name`",
      ...errorType,
    },
  }),
  job: define({
    role: "internal",
    name: "job {plinth.job.queue}",
    about: "A job of the queue, for example the notice of a new plan, a drift check or a clean-up",
    parent: "none: it begins a trace",
    attributes: {
      "plinth.job.queue": "The queue; of a clean-up its name",
      ...errorType,
    },
  }),
} as const;

type SpanKinds = typeof spanKinds;

export type SpanKindName = keyof SpanKinds;

export type AttributesOf<K extends SpanKindName> = keyof SpanKinds[K]["attributes"];
