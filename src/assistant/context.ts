import { writeAudit as write, type AreaAuditEntry } from "../platform/db/audit.ts";
import type { Database, Db } from "../platform/db/database.ts";
import type { EventHub } from "../platform/events/events.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";
import type { SecretBox } from "../platform/lib/secrets/secret-box.ts";
import type { Outbound } from "../platform/outbound/outbound.ts";
import type { CallMetrics } from "./tools/call-metrics.ts";
import type { TokenSigner } from "./agents/external/run-token.ts";
import type { PlatformTools } from "./tools/toolbox.ts";
import type { VectorSearch } from "./retrieval/vector-search.ts";
import type { RunLog } from "./runs/log/run-log.ts";
import type { RunPorts } from "./runs/loop/run-state.ts";
import type { AssistantSettings } from "./settings.ts";
import type { ServerHealth, ToolSource } from "./tools/tool-source.ts";

/** What every service of the assistant gets besides the request; made once by its module. */
export interface AssistantDeps {
  database: Database;
  jobs: Jobs;
  hub: EventHub;
  /** The outbound client for models and the embedder. */
  outbound: Outbound;
  /** The client for calls to external agents. */
  agentOutbound: Outbound;
  /** The client for identity providers. */
  issuerOutbound: Outbound;
  /** Seals the keys of models and servers. */
  secrets: SecretBox;
  /** All tools that agents may call. */
  tools: ToolSource;
  /** State of the configured MCP servers, as this process sees it. */
  serverHealth: () => ServerHealth[];
  /** Agents and models as runs read them. */
  runs: RunPorts;
  runLog: RunLog;
  /** The platform's own tools, which its MCP server offers as well. */
  platformTools: PlatformTools;
  /** Metrics of the calls of models and tools. */
  metrics: CallMetrics;
  /** Signs tokens that tell external agents who the user is. */
  signer: TokenSigner;
  /** Finds passages by meaning. */
  vectorSearch: VectorSearch;
  settings: AssistantSettings;
}

export interface AssistantExtra {
  assistant: AssistantDeps;
}

export type AssistantContext = RequestContext & AssistantExtra;

/** Writes an audit row of the assistant in the transaction of the change that it describes. */
export const writeAudit = (db: Db, ctx: RequestContext, entry: AreaAuditEntry): Promise<void> =>
  write(db, ctx, { ...entry, area: "assistant" });
