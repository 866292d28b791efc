/** Pure. Which scopes mean something here, and which lie within others. */
import { scopedOperations } from "../policy.ts";
import { covers, type ScopedOperation } from "../scopes.ts";

const operationsIn = (scope: string): ScopedOperation[] =>
  [...scopedOperations.values()].filter((operation) => covers([scope], operation));

export const isKnownScope = (scope: string): boolean => operationsIn(scope).length > 0;

/** Whether the scope is good for nothing that the granted ones are not good for. */
export const isWithin = (scope: string, granted: readonly string[]): boolean =>
  operationsIn(scope).every((operation) => covers(granted, operation));
