import type { RequestContext } from "../platform/lib/request-context.ts";

/** What the assistant needs from the rest of the platform; `src/areas.ts` passes the implementations. */

export interface PlatformRequest {
  method: "GET" | "POST";
  /** The path with its query. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal: AbortSignal;
}

export interface PlatformAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/**
 * The HTTP interfaces of the platform, called as the actor of `ctx`: each operation checks, authorizes and audits the
 * call like one from outside. Rejects when it can't be called at all.
 */
export type PlatformClient = (ctx: RequestContext, request: PlatformRequest) => Promise<PlatformAnswer>;

/** Records of another area for the assistant's index, read only where they have changed. */
export interface RecordFeed {
  /** Tables of the platform's database in which the records are: where their rows change, records may have changed. */
  tables: readonly string[];
  /** The version of each record by key; it differs whenever the record has changed. */
  versions(): Promise<ReadonlyMap<string, string>>;
  /** The records that still exist; `id` is what users know a record by, when that is not the key. */
  read(keys: readonly string[]): Promise<{ key: string; id?: string; value: Record<string, unknown> }[]>;
}

/** A tool call of an agent, as policies see it. */
export interface AgentAction {
  /** `server:name`. */
  tool: string;
  arguments: Record<string, unknown>;
  agent: string;
  user: string;
  /** Null for an action in no environment. */
  environment: string | null;
}

export interface ActionVerdict {
  verdict: "allow" | "ask" | "deny";
  /** A line for each policy that does not allow it. */
  reasons: string[];
}

/** What policies say of an action. Rejects while they can't be evaluated. */
export type DecideAction = (ctx: RequestContext, action: AgentAction) => Promise<ActionVerdict>;
