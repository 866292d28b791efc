/**
 * The request that code is running for, and how long it may wait for the database. Both are in an AsyncLocalStorage, so that every
 * line of the log names the request, also those of parts that get no context of it, and neither services nor stores pass the limit on.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { DatabaseWait } from "./database-wait.ts";

export interface RequestScope {
  requestId: string;
  /** Where the request came from, as trusted proxies say. */
  clientAddress: string | undefined;
  /** Its answer has ended: what goes on in its async context belongs to others, or names the request itself. */
  isOver: boolean;
  /** How long the request may wait for the database. A field, because a second async context for each request would cost 2 µs more. */
  databaseWait: DatabaseWait | undefined;
}

/** A limit in place of that of the request, for a part of its work, and for work of no request. */
interface OwnLimit {
  wait: DatabaseWait | undefined;
  /** Within another request it does not apply. */
  scope: RequestScope | undefined;
}

const scopes = new AsyncLocalStorage<RequestScope>();
const limits = new AsyncLocalStorage<OwnLimit>();

/** Everything that `work` begins is for this request. */
export const withinRequest = <T>(scope: RequestScope, work: () => T): T => scopes.run(scope, work);

/** For what a request opens and others use, such as connections: what happens there later is not for the request, but has its limit. */
export const outsideRequest = <T>(work: () => T): T => {
  const wait = currentDatabaseWait();
  return scopes.exit(() => limits.run({ wait, scope: undefined }, work));
};

/** Undefined for work that no open request waits for. */
export function currentRequest(): RequestScope | undefined {
  const scope = scopes.getStore();
  return scope === undefined || scope.isOver || scope.requestId === "" ? undefined : scope;
}

/** Runs `work` with `wait` as its limit of waiting for the database, in place of the present one; undefined means no limit. */
export const withinDatabaseWait = <T>(wait: DatabaseWait | undefined, work: () => T): T =>
  limits.run({ wait, scope: scopes.getStore() }, work);

/** Runs `work` without the request's limit. For work that other requests share: it goes on when this request's time is over. */
export const withoutDatabaseWait = <T>(work: () => T): T => withinDatabaseWait(undefined, work);

/** Undefined for work that no request waits for. */
export function currentDatabaseWait(): DatabaseWait | undefined {
  const scope = scopes.getStore();
  const own = limits.getStore();
  return own !== undefined && own.scope === scope ? own.wait : scope?.databaseWait;
}
