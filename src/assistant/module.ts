/** The assistant as a part of a process: its HTTP interface, its workers, and what other areas may ask of it. */
import type { Database, Db } from "../platform/db/database.ts";
import type { TimePosition } from "../platform/db/time-position.ts";
import { beginningsOf } from "../platform/db/word-search.ts";
import type { Area } from "../platform/http/operation.ts";
import { openTogether } from "../platform/lib/opened.ts";
import { systemContext, type RequestContext } from "../platform/lib/request-context.ts";
import type { AddNumbers } from "../platform/telemetry/database-numbers.ts";
import type { SealedPlace } from "../platform/runtime/keys/sealed-place.ts";
import type { AreaModule, Platform, PlatformBase } from "../platform/runtime/platform.ts";
import {
  askAgent,
  findRootAgent,
  loadRunAgent,
  type AgentQuestion,
  type RunAgent,
} from "./agents/run-agent.ts";
import { readEnabledNames, readRecordVersion } from "./agents/store.ts";
import { createCallMetrics } from "./tools/call-metrics.ts";
import type { AssistantDeps } from "./context.ts";
import { agentServer, agentTools, createAgentTools } from "./agents/external/agent-tools.ts";
import { createTokenSigner } from "./agents/external/run-token.ts";
import { aboutAgent, sealStoredAgents } from "./agents/external/sealed-agent.ts";
import { readActiveAgents, sealedAgents, type ExternalAgentRow } from "./agents/external/store.ts";
import { cacheRecords, type CachedRecords } from "./cached-records.ts";
import { createMcpPool } from "./tools/mcp/pool.ts";
import { aboutHeader, aboutKey, readModel } from "./models/read-model.ts";
import { sealedModels } from "./models/store.ts";
import { createPlatformTools } from "./tools/toolbox.ts";
import type { DecideAction, PlatformClient, RecordFeed } from "./ports.ts";
import { readLimits } from "./protocols/config-limits.ts";
import { createSources } from "./retrieval/sources.ts";
import { startIndexWorker } from "./retrieval/worker.ts";
import { createVectorSearch, type VectorSearch } from "./retrieval/vector-search.ts";
import { findAgents, readIndexState } from "./retrieval/store.ts";
import { listAllOpen, listOpenApprovals } from "./runs/approvals/store.ts";
import { createRunLog } from "./runs/log/run-log.ts";
import type { RunPorts } from "./runs/loop/run-state.ts";
import { readRunNumbers } from "./runs/work-store.ts";
import { startRunWorker } from "./runs/worker.ts";
import { assistantSettings, type AssistantSettings } from "./settings.ts";
import { joinSources, type ToolSource } from "./tools/tool-source.ts";
import { approvalNotice, waitingItem } from "./runs/approvals/waiting.ts";

export interface AssistantPorts {
  /** Calls operations of the platform as a user. */
  callPlatform: PlatformClient;
  /** What policies say of a tool call. */
  decideAction: DecideAction;
  /** Records of other areas for the search. */
  feeds: { entities: RecordFeed; descriptors: RecordFeed };
}

/** Parts that a test puts in place of those of the product. */
export interface ReplacedParts {
  tools?: ToolSource;
  runs?: Partial<RunPorts>;
}

export interface AssistantOptions extends ReplacedParts {
  /** A process that neither runs agents nor serves the assistant connects to no MCP server. */
  needsTools: boolean;
  /** Where the process listens; null for one of workers only. */
  url: string | null;
}

export interface AssistantModule extends AreaModule {
  /** An area with the search only, for calls from within the process. */
  searchArea(): Promise<Area>;
  /** Agents and pages, for the search over everything. */
  search: ReturnType<typeof assistantSearch>;
  /** Tool calls of the caller's runs that wait for approval. */
  listWaiting: (
    ctx: RequestContext,
    page: { limit: number; after: TimePosition | null },
  ) => Promise<ReturnType<typeof waitingItem>[]>;
  /** Those of all users, for those who tell people about them. */
  notices: {
    kinds: readonly ["TOOL_APPROVAL"];
    list(limit: number): Promise<ReturnType<typeof approvalNotice>[]>;
  };
}

export async function createAssistant(
  platform: Platform,
  ports: AssistantPorts,
  options: AssistantOptions,
): Promise<AssistantModule> {
  const { config, log, now, opened, database } = platform;
  const deps = await openDeps(platform, ports, options);
  let stopWork = async (): Promise<void> => undefined;
  return {
    async area() {
      const { installShipped } = await import("./agents/transfer/shipped-service.ts");
      await opened.wait("what is shipped", () => installShipped(systemContext(log, now), database));
      const { recordPlatformTools } = await import("./tools/mcp/tool-store.ts");
      await opened.wait("the tools of the platform", () =>
        recordPlatformTools(deps, { servers: config.assistant.mcpServers, at: now() }),
      );
      const { assistantArea } = await import("./area.ts");
      return assistantArea({ deps });
    },
    async searchArea() {
      const { searchArea } = await import("./area.ts");
      return searchArea({ deps });
    },
    registerMetrics: async (numbers) => registerAssistantNumbers(numbers, database.db),
    async retentionRules() {
      const { assistantRetention } = await import("./upkeep/retention-rules.ts");
      return assistantRetention(config, database.db);
    },
    async checks() {
      const { assistantChecks } = await import("./upkeep/checks.ts");
      return assistantChecks(database.db);
    },
    async start(workerId) {
      stopWork = await startWork(platform, ports, { deps, workerId });
    },
    close: () => stopWork(),
    search: assistantSearch(database.db),
    notices: {
      kinds: ["TOOL_APPROVAL"],
      list: async (limit) => (await listAllOpen(database.db, { at: now(), limit })).map(approvalNotice),
    },
    async listWaiting({ actor, now: at }, page) {
      const found = { owner: actor.ref, at: at(), offset: 0, ...page };
      const { rows } = await listOpenApprovals(database.db, found);
      return rows.map((row) => waitingItem(row, actor.ref));
    },
  };
}

interface KnowledgeHit {
  id: string;
  title: string;
  subtitle: string;
  environment: null;
  link: { agentId?: string; page?: string };
  score?: number;
}

const assistantSearch = (db: Db) => {
  const rule = "readAssistant" as const;
  type Query = { text: string; limit: number };
  return [
    {
      kind: "AGENT" as const,
      rule,
      async find(_ctx: RequestContext, { text, limit }: Query): Promise<KnowledgeHit[]> {
        const words = beginningsOf(text);
        const rows = words === null ? [] : await findAgents(db, { words, limit });
        return rows.map(({ id, name, label, description }) => ({
          id,
          title: label,
          subtitle: description || name,
          environment: null,
          link: { agentId: id },
        }));
      },
    },
    {
      kind: "PAGE" as const,
      rule,
      async find(_ctx: RequestContext, query: Query): Promise<KnowledgeHit[]> {
        const { findPages } = await import("./retrieval/service.ts");
        return (await findPages(db, query)).map(({ reference, title, excerpt, score }) => ({
          id: reference,
          title,
          subtitle: excerpt,
          environment: null,
          link: { page: reference },
          score,
        }));
      },
    },
  ];
};

/** What the assistant has sealed. */
export const sealedPlaces: readonly SealedPlace[] = [
  { ...sealedModels("sealed_api_key"), aboutOf: aboutKey },
  { ...sealedModels("sealed_custom_header"), aboutOf: aboutHeader },
  { ...sealedAgents, aboutOf: aboutAgent },
];

/** One question of another area to an agent, see agents/run-agent.ts. */
export const askAgentOnce = (
  { config, database, secrets, outbound, now }: PlatformBase,
  question: AgentQuestion,
): Promise<string> =>
  askAgent({ database, secrets, outbound: outbound.models, limits: config.assistant.models, now }, question);

export { agentProblem } from "./agents/run-agent.ts";

/** Programs among the MCP servers are asked to end before they are made to. */
const programStopMs = 5_000;

async function openDeps(
  platform: Platform,
  { callPlatform }: AssistantPorts,
  { needsTools, url, tools, runs }: AssistantOptions,
): Promise<AssistantDeps> {
  const { config, reloads, log, now, opened, database, jobs, hub, outbound, secrets } = platform;
  await opened.wait("the sealing of stored agents", () => sealStoredAgents({ database, secrets, log }));
  const platformTools = createPlatformTools(callPlatform);
  const settings = assistantSettings(config, url);
  const pool = createMcpPool({
    servers: needsTools && tools === undefined ? config.assistant.mcpServers : [],
    database,
    outbound: outbound.mcpServers,
    log,
    platformTools,
    now,
    issuer: settings.baseUrl,
  });
  opened.add("the MCP servers", () => pool.close(), { limitMs: programStopMs });
  reloads.add(
    ({ assistant }) =>
      () =>
        pool.renew(assistant.mcpServers),
  );
  const signer = createTokenSigner({
    seeds: () => secrets.deriveAll("run tokens"),
    issuer: settings.baseUrl,
    now,
  });
  const records = cacheRecords(() => readRecordVersion(database.db));
  const agents = createAgentTools({
    database,
    outbound: outbound.agents,
    cardOutbound: outbound.agentCards,
    log,
    secrets,
    signer,
    readActive: () => activeAgents(database, records),
  });
  const vectorSearch = createVectorSearch({
    database,
    secrets,
    outbound: outbound.models,
    settings,
    log,
    now,
  });
  return {
    database,
    jobs,
    hub,
    outbound: outbound.models,
    agentOutbound: outbound.agents,
    issuerOutbound: outbound.issuers,
    secrets,
    tools: tools ?? joinSources({ [agentServer]: agents }, pool),
    signer,
    serverHealth: () => pool.health(),
    platformTools,
    metrics: createCallMetrics(platform.instruments, platform.config.metrics.adapters),
    runs: { ...runPorts(platform, { records, vectorSearch, settings }), ...runs },
    runLog: await opened.open(
      "the log of runs",
      () => createRunLog(database, log),
      (made) => made.close(),
    ),
    vectorSearch,
    settings,
  };
}

/** How long runs under way may take at a stop until they can be given back between two turns. */
const runGraceMs = 2_000;

/** Runs agents, and keeps the index of the search up to date. */
async function startWork(
  { config, log, now, database }: Platform,
  { feeds, decideAction }: AssistantPorts,
  { deps, workerId }: { deps: AssistantDeps; workerId: string },
): Promise<() => Promise<void>> {
  const { outbound, runs: ports, tools, metrics, runLog, settings } = deps;
  const shared = { database, outbound, log, now, workerId };
  const environments = config.mesh.builder.environments.map(({ name }) => name);
  return openTogether(log, async (opened) => {
    const worker = await opened.open(
      "the runs",
      () =>
        startRunWorker({
          ...shared,
          ports,
          tools,
          metrics,
          actionPolicies: { decide: decideAction, onUnavailable: config.governance.onUnavailable },
          settings: settings.runs,
          environments,
          runLog,
        }),
      (started) => started.close(0),
    );
    const index = startIndexWorker({ ...deps, ...shared, sources: createSources({ database, ...feeds }) });
    return async () => void (await Promise.all([worker.close(runGraceMs), index.close()]));
  });
}

/** Runs read the agents and the model as they are at that moment. */
const runPorts = (
  { database, secrets, log }: Platform,
  {
    records,
    vectorSearch,
    settings,
  }: { records: CachedRecords; vectorSearch: VectorSearch; settings: AssistantSettings },
): RunPorts => ({
  loadAgent: (id) => records.read(`agent ${id}`, () => loadWithOthers(database, records, id)),
  findRoot: () => records.read("roots", () => findRootAgent(database.db)),
  listAgents: () => readEnabledNames(database.db),
  readModel: () => records.read("model", () => readModel({ database, secrets }, "llm")),
  readLimits: () => records.read("limits", () => readLimits({ db: database.db, log }, settings.runs)),
  async rankKeys(wanted) {
    const { rankKeys } = await import("./retrieval/service.ts");
    return rankKeys({ database, vectorSearch }, wanted);
  },
});

/** Agents that run elsewhere are offered to the one that the graph begins with; others get them as they get any tool. */
async function loadWithOthers(
  database: Database,
  records: CachedRecords,
  id: string,
): Promise<RunAgent | null> {
  const agent = await loadRunAgent(database.db, id);
  if (agent?.isOrchestrator !== true) return agent;
  const others = agentTools(await activeAgents(database, records));
  return { ...agent, mcpTools: [...agent.mcpTools, ...others] };
}

const activeAgents = (database: Database, records: CachedRecords): Promise<ExternalAgentRow[]> =>
  records.read("external agents", () => readActiveAgents(database.db, maxExternalAgents));

const maxExternalAgents = 200;

/** What metrics read from the database. */
export function registerAssistantNumbers(numbers: AddNumbers, db: Db): void {
  const assistant = numbers("assistant", async () => ({
    index: await readIndexState(db),
    runs: await readRunNumbers(db),
  }));
  assistant.gauge(
    { name: "plinth_assistant_index_documents", help: "Passages that the assistant searches." },
    ({ index }, set) => set(index.documents),
  );
  assistant.gauge(
    {
      name: "plinth_assistant_index_waiting",
      help: "Passages that wait for a vector of the present embedder.",
    },
    ({ index }, set) => set(index.waiting),
  );
  assistant.gauge(
    {
      name: "plinth_assistant_runs_open",
      help: "Runs that have not ended, by status: queued, running, or waiting for their user.",
      labels: ["status"],
    },
    ({ runs }, set) => {
      for (const { status, count } of runs) set(count, [status]);
    },
  );
  assistant.gauge(
    {
      name: "plinth_assistant_run_oldest_seconds",
      help: "Age of the oldest run that has not ended, by status.",
      labels: ["status"],
    },
    ({ runs }, set) => {
      for (const { status, oldestSeconds } of runs) set(oldestSeconds, [status]);
    },
  );
}
