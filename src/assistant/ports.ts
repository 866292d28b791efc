import type { RequestContext } from "../platform/lib/request-context.ts";

/** What the assistant needs from the rest of the platform; app.ts passes it. */

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
export type PlatformClient = (ctx: RequestContext, request: PlatformRequest) => Promise<PlatformAnswer>;

/** Records of another area for the assistant's search, read only where they have changed. */
export interface RecordFeed {
  /** Another text once any of them may have changed; costs next to nothing. */
  mark(): Promise<string>;
  /** By key, a text that is another one whenever the record has changed. */
  versions(): Promise<ReadonlyMap<string, string>>;
  /** Those that there still are; `id` is by what users know it where that is not the key. */
  read(keys: readonly string[]): Promise<{ key: string; id?: string; value: Record<string, unknown> }[]>;
}
