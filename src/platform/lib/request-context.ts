import { systemActor, type Actor } from "./actor.ts";
import { newId, newTraceparent } from "./ids.ts";
import type { Logger } from "./logger.ts";

/** What every service function gets first; an area adds its `db`. Built once per request or job. */
export interface RequestContext {
  actor: Actor;
  now: () => Date;
  log: Logger;
  signal: AbortSignal;
  requestId: string;
  /** Where the request came from, as trusted proxies say; undefined for work that a process does by itself. */
  clientAddress?: string | undefined;
  /** W3C trace context of the caller, passed on to every outbound call. */
  traceparent: string;
}

/** The context of work that a process does by itself. */
export const systemContext = (log: Logger, now: () => Date): RequestContext => ({
  actor: systemActor,
  now,
  log,
  signal: new AbortController().signal,
  requestId: newId(),
  traceparent: newTraceparent(),
});
