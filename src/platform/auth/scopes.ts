/**
 * Pure. What a token may be used for, apart from whose it is. A scope is `all`, `read`, the name of an area, or an area with
 * `:read` or one operation behind it; those that begin with `service:` are what older clients ask for.
 */

export interface ScopedOperation {
  id: string;
  area: string;
  /** Whether it changes nothing. */
  reads: boolean;
}

/** What older clients ask for. */
const olderScopes: Readonly<Record<string, string>> = {
  "service:assistant": "assistant",
  "service:builder": "builder",
  "service:computational-governance": "governance",
  "service:coordinator": "coordinator",
  "service:data-layer": "data-layer",
  "service:governance": "governance",
  "service:provisioning-coordinator": "coordinator",
};

/** The scope in our own words. */
export const scopeOf = (text: string): string =>
  Object.hasOwn(olderScopes, text) ? (olderScopes[text] ?? text) : text;

/** Whether one of the scopes is good for the operation. */
export const covers = (scopes: readonly string[], operation: ScopedOperation): boolean =>
  scopes.some((scope) => scopesFor(operation).includes(scopeOf(scope)));

/** Every scope that is good for the operation, the narrowest first. */
export const scopesFor = ({ id, area, reads }: ScopedOperation): string[] => [
  `${area}:${id}`,
  ...(reads ? [`${area}:read`] : []),
  area,
  ...(reads ? ["read"] : []),
  "all",
];
