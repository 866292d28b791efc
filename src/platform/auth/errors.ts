import type { Failure } from "../errors/failure.ts";
import { failuresOf } from "../errors/failures-of.ts";

export const authErrors = {
  PLATFORM_UNAUTHENTICATED: {
    status: 401,
    meaning: "The request carries no credentials and the operation is not public.",
    solution: "Send the header `Authorization: Bearer <token>`.",
  },
  PLATFORM_TOKEN_INVALID: {
    status: 401,
    meaning: "The bearer token is not accepted; the message says why.",
    solution: "Get a token that is meant for this server from an accepted issuer.",
  },
  PLATFORM_TOKEN_EXPIRED: {
    status: 401,
    meaning: "The bearer token has expired.",
    solution: "Get a new token and send the request again.",
  },
  PLATFORM_SESSION_ENDED: {
    status: 401,
    meaning: "The session of the browser has ended; the message says why.",
    solution: "Sign in again.",
  },
  PLATFORM_CROSS_SITE: {
    status: 403,
    meaning:
      "A browser sent the request without credentials of its own making, and it did not come from a page of this server.",
    solution:
      "From a page of this server send the header `X-Plinth-Console: 1`; a program sends a bearer token. Behind a proxy set server.baseUrl.",
  },
  PLATFORM_FORBIDDEN: {
    status: 403,
    meaning: "The caller is known and has none of the roles that the operation needs.",
    solution: "Ask for one of the roles that the message names.",
  },
  PLATFORM_SCOPE_MISSING: {
    status: 403,
    meaning: "The caller's roles allow the operation, and the scopes of the token do not.",
    solution: "Use a token with one of the scopes that the message names.",
  },
  PLATFORM_AUTH_UNAVAILABLE: {
    status: 503,
    meaning: "The token cannot be checked now, because the keys of its issuer cannot be read.",
    solution: "Try again shortly; if it stays, check that the issuer can be reached from the server.",
  },
  PLATFORM_AUTH_CONFIG: {
    status: 400,
    meaning: "The server does not start, because nobody, or everybody, could sign in.",
    solution: "Configure a provider under auth.providers; `plinth config check` says what is missing.",
  },
} as const;

export type AuthErrorCode = keyof typeof authErrors;

const failureOf = failuresOf(authErrors);

export const authFailure = (
  code: AuthErrorCode,
  message: string,
  more: { solutions?: string[]; cause?: unknown; retryAfterSeconds?: number } = {},
): Failure => failureOf(code, { message, ...more });

/** The value of the `WWW-Authenticate` header for a 401 or 403 of ours (RFC 6750), or undefined for others. */
export function challengeOf(failure: Failure): string | undefined {
  const realm = 'Bearer realm="plinth"';
  switch (failure.code) {
    case "PLATFORM_UNAUTHENTICATED":
    case "PLATFORM_SESSION_ENDED":
      return realm;
    case "PLATFORM_TOKEN_INVALID":
    case "PLATFORM_TOKEN_EXPIRED":
      return `${realm}, error="invalid_token", error_description="${headerText(failure.message)}"`;
    case "PLATFORM_FORBIDDEN":
    case "PLATFORM_SCOPE_MISSING":
      return `${realm}, error="insufficient_scope", error_description="${headerText(failure.message)}"`;
    default:
      return undefined;
  }
}

/** Only what may stand between quotes in a header. */
const headerText = (text: string): string => text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "?");
