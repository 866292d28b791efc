/**
 * The request that code is running for. It is in an AsyncLocalStorage, so that every line of the log names it, also those of
 * parts that get no context of the request.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface RequestScope {
  requestId: string;
  /** Where the request came from, as trusted proxies say. */
  clientAddress: string | undefined;
  /** Its answer has ended: what goes on in its async context belongs to others, or names the request itself. */
  isOver: boolean;
}

const storage = new AsyncLocalStorage<RequestScope>();

/** Everything that `work` begins is for this request. */
export const withinRequest = <T>(scope: RequestScope, work: () => T): T => storage.run(scope, work);

/** For what a request opens and others use, such as connections: what happens there later is not for the request. */
export const outsideRequest = <T>(work: () => T): T => storage.exit(work);

/** Undefined for work that no open request waits for. */
export function currentRequest(): RequestScope | undefined {
  const scope = storage.getStore();
  return scope === undefined || scope.isOver || scope.requestId === "" ? undefined : scope;
}
