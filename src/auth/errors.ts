/** Codes of the operations on tokens. Codes are only ever added; docs/reference/errors.md lists them. */
import { Type } from "typebox";
import type { Failure } from "../platform/errors/failure.ts";
import { failuresOf } from "../platform/errors/failures-of.ts";
import { statusOf } from "../platform/http/errors.ts";
import type { FailureBody, RequestView } from "../platform/http/operation.ts";
import { platformBody } from "../platform/http/responses/answer-failure.ts";

export const authAreaErrors = {
  AUTH_INVALID_TOKEN: {
    status: 400,
    meaning: "The token can't be made as it was asked for; each problem says why.",
    solution: "Correct all listed problems and send the request again.",
  },
  AUTH_TOO_WIDE: {
    status: 403,
    meaning: "The token would be allowed more than its owner, or than who makes it.",
    solution: "Ask for roles and scopes that the owner has, and for no later end.",
  },
  AUTH_MADE_BY_TOKEN: {
    status: 403,
    meaning: "Tokens can't be made with a token that was made here.",
    solution: "Sign in, or use a fixed token of the settings.",
  },
  AUTH_ISSUED_AT_MISSING: {
    status: 403,
    meaning: "The JWT of the request does not say when it was issued, so no token is made with it.",
    solution: "Have the identity provider, or whoever signs the JWT, put the claim `iat` into it.",
  },
  AUTH_NOT_ADMIN: {
    status: 403,
    meaning: "Only administrators make tokens of service accounts.",
    solution: "Ask an administrator, or make a personal token.",
  },
  AUTH_TOKENS_OFF: {
    status: 403,
    meaning: "No tokens are made here: accessTokens.enabled is false.",
    solution: "Ask an operator for a fixed token, or to set accessTokens.enabled.",
  },
  AUTH_TOKEN_LIMIT: {
    status: 409,
    meaning: "The owner has accessTokens.perOwner tokens, or as many sessions with a name, already.",
    solution: "Revoke tokens that are not used any more.",
  },
  AUTH_SESSION_REVOKED: {
    status: 403,
    meaning: "The session of that name was revoked.",
    solution: "Sign in anew: `plinth login` begins another session.",
  },
  AUTH_TOKEN_NOT_FOUND: {
    status: 404,
    meaning: "There is no token with that id, or it is somebody else's.",
    solution: "List the tokens and use one of their ids.",
  },
  AUTH_ACCOUNT_NOT_FOUND: {
    status: 404,
    meaning: "There is no service account of that name.",
    solution: "List the service accounts, or make one first.",
  },
  AUTH_ACCOUNT_TAKEN: {
    status: 409,
    meaning: "The name belongs to a program that has its token by the settings, or that signs in by a JWT.",
    solution: "Choose another name.",
  },
  AUTH_ACCOUNT_EXISTS: {
    status: 409,
    meaning: "A service account was to be made (If-None-Match), and there is one of that name.",
    solution: "Choose another name, or change the one that there is.",
  },
  AUTH_NOT_A_USER: {
    status: 400,
    meaning: "The token stands for a program, and the operation is about people.",
    solution: "Call it with the token of a person.",
  },
  AUTH_INVALID_CURSOR: {
    status: 400,
    meaning: "The cursor is not one that this list has returned.",
    solution: "Begin without one, and go on with the `next` of the page before.",
  },
} as const;

export const authFailureOf = failuresOf(authAreaErrors);

const known: Record<string, { status: number }> = authAreaErrors;

/** In the form of paths outside of all areas, in which older clients find the message. */
export const authErrorBody = (failure: Failure, request: RequestView): FailureBody => ({
  ...platformBody(failure, request),
  status: known[failure.code]?.status ?? statusOf(failure),
});

export const authErrorSchema = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    problems: Type.Array(Type.Object({ where: Type.String(), message: Type.String() })),
    solutions: Type.Array(Type.String()),
    requestId: Type.String(),
  }),
});
