/**
 * The one error that our code throws on purpose. An area maps its kind to a status and a body;
 * whatever else is thrown is a defect of ours and becomes that area's 500 without its text.
 */
export type FailureKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "limit"
  | "upstream"
  | "unavailable"
  | "internal";

/** One thing that is wrong with an input. `where` is a JSON pointer, a query name, or `file:line:column`. */
export interface Problem {
  where: string;
  message: string;
  /** What to do about it, as a whole sentence. */
  solution?: string;
}

export interface FailureDetails {
  kind: FailureKind;
  /** Stable code, `AREA_WHAT`, listed in docs/reference/errors.md. */
  code: string;
  /** For users; says what happened without internals (no SQL, stack, path or secret). */
  message: string;
  problems?: Problem[];
  solutions?: string[];
  /** The offending input, echoed where the area's body has a place for it. Never a secret. */
  input?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
}

export class Failure extends Error {
  readonly kind: FailureKind;
  readonly code: string;
  readonly problems: Problem[];
  readonly solutions: string[];
  readonly input: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(details: FailureDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "Failure";
    this.kind = details.kind;
    this.code = details.code;
    this.problems = details.problems ?? [];
    this.solutions = details.solutions ?? [];
    this.input = details.input;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** HTTP status of a kind; the same in every area (the assistant alone answers `invalid` with 422). */
export const statusOfKind: Record<FailureKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  limit: 413,
  upstream: 502,
  unavailable: 503,
  internal: 500,
};
