/** The port through which a run gets its tools. Who offers them (MCP servers, the platform itself) is decided in module.ts. */
import type { RequestContext } from "../../platform/lib/request-context.ts";

export interface ToolDefinition {
  server: string;
  name: string;
  description: string;
  /** JSON Schema of the arguments, of type object. */
  inputSchema: object;
  /** It changes something; unless the policy says otherwise the user is asked before each call. */
  destructive: boolean;
}

export interface ToolCall {
  server: string;
  name: string;
  arguments: Record<string, unknown>;
}

export interface ToolResult {
  text: string;
  /** The tool ran and says that it failed; the text tells why. */
  isError: boolean;
}

export interface ToolSource {
  /** Approved and reachable tools; the source caches them, so that each turn of a run may ask. */
  list(): Promise<ToolDefinition[]>;
  /** Calls one tool as the actor of `ctx`, never with more rights than theirs. Rejects when it can't be reached. */
  call(
    ctx: RequestContext,
    call: ToolCall,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<ToolResult>;
}

export interface ServerHealth {
  name: string;
  transport: "http" | "sse" | "stdio";
  status: "connecting" | "connected" | "waiting";
  /** Since when. */
  since: Date;
  /** Revision of the protocol that is spoken. */
  protocol: string | null;
  tools: number;
  /** What went wrong last, while it is not connected; what was left out of its tools, while it is. */
  message: string | null;
  nextAttemptAt: Date | null;
}

/** One source of several: calls go to the one that has the server, and to `rest` for all others. */
export const joinSources = (named: Readonly<Record<string, ToolSource>>, rest: ToolSource): ToolSource => ({
  list: async () =>
    (await Promise.all([rest, ...Object.values(named)].map((source) => source.list()))).flat(),
  call: (ctx, call, options) => (named[call.server] ?? rest).call(ctx, call, options),
});
