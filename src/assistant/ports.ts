import type { RequestContext } from "../platform/lib/request-context.ts";

/** What the assistant needs from the rest of the platform; compose passes it. */

export interface PlatformRequest {
  method: "GET" | "POST";
  /** With its query. */
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
 * The HTTP interfaces of the platform, asked as the actor of `ctx`: each operation checks, allows and records the call as
 * it does one from outside. Rejects when it can't be asked at all.
 */
export type PlatformDoor = (ctx: RequestContext, request: PlatformRequest) => Promise<PlatformAnswer>;
