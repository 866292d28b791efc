/** Pure. What is wrong with the scopes that a token is wanted for. */
import { isKnownScope, isWithin } from "../platform/auth/tokens/known-scopes.ts";
import type { Problem } from "../platform/errors/failure.ts";

export const unknownScopes = (scopes: readonly string[], where: (index: number) => string): Problem[] =>
  scopes.flatMap((scope, index) =>
    isKnownScope(scope)
      ? []
      : [
          {
            where: where(index),
            message: `${scope} is no scope of this platform`,
            solution:
              "Scopes are all, read, <area>, <area>:read and <area>:<rule>; docs/reference/permissions.md lists them.",
          },
        ],
  );

/** Those that are good for more than the granted ones. */
export const scopesBeyond = (scopes: readonly string[], granted: readonly string[] | undefined): string[] =>
  granted === undefined ? [] : scopes.filter((scope) => !isWithin(scope, granted));
