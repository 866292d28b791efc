/** The port through which a run gets its tools. Its implementations (MCP servers, the platform itself) are wired in `module.ts`. */
import type { RequestContext } from "../../platform/lib/request-context.ts";

export interface ToolDefinition {
  server: string;
  name: string;
  description: string;
  /** JSON Schema of the arguments, of type object. */
  inputSchema: object;
  /** Whether the tool changes something; then the user is asked before each call, unless the policy says otherwise. */
  destructive: boolean;
  /** Whether a call can be repeated without harm, because it changes nothing at all. */
  readOnly?: boolean;
}

export interface ToolCall {
  server: string;
  name: string;
  arguments: Record<string, unknown>;
}

export interface ToolResult {
  text: string;
  /** The tool ran and failed; the text says why. */
  isError: boolean;
}

export interface ToolSource {
  /** Approved and reachable tools; cached, so that each model turn may call it. */
  list(): Promise<ToolDefinition[]>;
  /** Calls one tool as the actor of `ctx`, with that actor's rights. Rejects when the tool can't be reached. */
  call(
    ctx: RequestContext,
    call: ToolCall,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<ToolResult>;
  /** Why the actor of `ctx` may not make the call, when that is known before it is made. */
  refusal?(ctx: RequestContext, call: ToolCall): Promise<string | null>;
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
  /** While it is not connected, the last error; while it is, the tools that were left out. */
  message: string | null;
  nextAttemptAt: Date | null;
}

/** One source of several: calls go to the one that has the server, and to `rest` for all others. */
export const joinSources = (named: Readonly<Record<string, ToolSource>>, rest: ToolSource): ToolSource => ({
  list: async () =>
    (await Promise.all([rest, ...Object.values(named)].map((source) => source.list()))).flat(),
  call: (ctx, call, options) => (named[call.server] ?? rest).call(ctx, call, options),
  refusal: async (ctx, call) => (await (named[call.server] ?? rest).refusal?.(ctx, call)) ?? null,
});
