/** The assistant's share of the composition that every process needs, serving or not. */
import { createCallMetrics } from "./assistant/call-metrics.ts";
import { findRootAgent, loadRunAgent, type RunAgent } from "./assistant/agents/run-agent.ts";
import { readEnabledNames } from "./assistant/agents/store.ts";
import type { AssistantDeps } from "./assistant/context.ts";
import { agentServer, agentTools, createAgentTools } from "./assistant/external-agents/agent-tools.ts";
import { sealStoredAgents } from "./assistant/external-agents/seal-stored.ts";
import { readActiveAgents, type ExternalAgentRow } from "./assistant/external-agents/store.ts";
import { createTokenSigner } from "./assistant/external-agents/run-token.ts";
import { keepRecords, type KeptRecords } from "./assistant/kept-records/keep.ts";
import { readRecordVersion } from "./assistant/kept-records/store.ts";
import { createMcpPool } from "./assistant/mcp-clients/pool.ts";
import { createNear, type Near } from "./assistant/retrieval/near.ts";
import { createSources } from "./assistant/retrieval/indexing/sources.ts";
import { rankKeys } from "./assistant/retrieval/service.ts";
import { startIndexWorker } from "./assistant/retrieval/indexing/worker.ts";
import { readModel } from "./assistant/models/read-model.ts";
import { createPlatformTools } from "./assistant/platform-tools/toolbox.ts";
import { createRunLog } from "./assistant/runs/log/run-log.ts";
import type { RunPorts } from "./assistant/runs/types.ts";
import { startRunWorker } from "./assistant/runs/worker.ts";
import { assistantSettings } from "./assistant/settings.ts";
import { joinSources } from "./assistant/tools/join-sources.ts";
import type { ToolSource } from "./assistant/tools/tool-source.ts";
import type { BuilderParts } from "./compose-builder.ts";
import { entityFeed } from "./builder/catalogue/reading/feed-store.ts";
import { createInsideDoor } from "./compose-inside.ts";
import type { Closer, Deps } from "./compose.ts";
import { descriptorFeed } from "./coordinator/resources/feed-store.ts";
import type { Database } from "./platform/db/database.ts";
import type { Opened } from "./platform/lib/opened.ts";
import type { SecretBox } from "./platform/lib/secret-box.ts";

/** Parts that a test puts in place of those of the product. */
export interface ReplacedParts {
  tools?: ToolSource;
  runs?: Partial<RunPorts>;
}

/** Programs among the MCP servers are asked to end before they are made to. */
const programStopMs = 5_000;

/** How long runs under way may take at a stop until they can be given back; those that take longer end interrupted. */
const runGraceMs = 2_000;

export async function createAssistantDeps(
  deps: Deps & { builder: BuilderParts; needsTools: boolean },
  replaced: ReplacedParts,
  opened: Opened,
): Promise<AssistantDeps> {
  const { config, log, database, jobs, outboundClients } = deps;
  const outbound = outboundClients.models;
  const { hub, secrets } = deps.builder.deps;
  await opened.wait("the sealing of stored agents", () => sealStoredAgents({ database, secrets, log }));
  const own: { deps?: AssistantDeps } = {};
  const inside = createInsideDoor(deps, () => own.deps);
  opened.add("the server of the platform's tools", inside.close);
  const platformTools = createPlatformTools(inside.call);
  const settings = assistantSettings(config);
  const pool = createMcpPool({
    servers: deps.needsTools && replaced.tools === undefined ? config.assistant.mcpServers : [],
    database,
    outbound: outboundClients.mcpServers,
    log,
    platformTools,
    now: () => new Date(),
    issuer: settings.baseUrl,
  });
  opened.add("the MCP servers", () => pool.close(), { limitMs: programStopMs });
  const signer = createTokenSigner({
    seed: secrets.derive("run tokens"),
    issuer: settings.baseUrl,
    now: () => new Date(),
  });
  const records = keepRecords(() => readRecordVersion(database.kysely));
  const agents = createAgentTools({
    database,
    outbound: outboundClients.agents,
    cardOutbound: outboundClients.agentCards,
    log,
    secrets,
    signer,
    readActive: () => activeAgents(database, records),
  });
  const near = createNear({ database, secrets, outbound, settings, log, now: () => new Date() });
  own.deps = {
    database,
    jobs,
    hub,
    outbound,
    agentOutbound: outboundClients.agents,
    secrets,
    tools: replaced.tools ?? joinSources({ [agentServer]: agents }, pool),
    signer,
    serverHealth: () => pool.health(),
    platformTools,
    metrics: createCallMetrics(),
    runs: { ...runPorts(database, { records, secrets, near }), ...replaced.runs },
    runLog: await opened.open(
      "the log of runs",
      () => createRunLog(database, log),
      (made) => made.close(),
    ),
    near,
    settings,
  };
  return own.deps;
}

/** Answers what users ask, and keeps what it searches up to date. */
export async function startAssistantWork(
  { log }: Deps,
  assistant: AssistantDeps,
  workerId: string,
): Promise<Closer> {
  const { database, outbound, runs: ports, tools, metrics, runLog, settings } = assistant;
  const worker = await startRunWorker({
    database,
    outbound,
    ports,
    tools,
    metrics,
    settings: settings.runs,
    runLog,
    log,
    now: () => new Date(),
    workerId,
  });
  const feeds = { entities: entityFeed(database.kysely), descriptors: descriptorFeed(database.kysely) };
  const index = startIndexWorker({
    ...assistant,
    sources: createSources({ database, ...feeds }),
    log,
    now: () => new Date(),
    workerId,
  });
  return async () => void (await Promise.all([worker.close(runGraceMs), index.close()]));
}

/** Runs read the agents and the model as they are at that moment. */
const runPorts = (
  database: Database,
  { records, secrets, near }: { records: KeptRecords; secrets: SecretBox; near: Near },
): RunPorts => ({
  loadAgent: (id) => records.read(`agent ${id}`, () => loadWithOthers(database, records, id)),
  findRoot: () => records.read("roots", () => findRootAgent(database.kysely)),
  listAgents: () => readEnabledNames(database.kysely),
  readModel: () => records.read("model", () => readModel({ database, secrets }, "llm")),
  rankKeys: (wanted) => rankKeys({ database, near }, wanted),
});

/** Agents that run elsewhere are offered to the one that the graph begins with; others get them as they get any tool. */
async function loadWithOthers(
  database: Database,
  records: KeptRecords,
  id: string,
): Promise<RunAgent | null> {
  const agent = await loadRunAgent(database.kysely, id);
  if (agent?.isOrchestrator !== true) return agent;
  const others = agentTools(await activeAgents(database, records));
  return { ...agent, mcpTools: [...agent.mcpTools, ...others] };
}

const activeAgents = (database: Database, records: KeptRecords): Promise<ExternalAgentRow[]> =>
  records.read("external agents", () => readActiveAgents(database.kysely, mostExternalAgents));

const mostExternalAgents = 200;
