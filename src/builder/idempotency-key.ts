import type { IncomingHttpHeaders } from "node:http";
import { Type } from "typebox";
import { inputFailure } from "../platform/http/errors.ts";
import { inputProblem } from "../platform/http/input/problems.ts";

export const idempotencyHeader = {
  "idempotency-key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[\\x21-\\x7e]+$",
      description: "Printable ASCII. The same request under the same key is carried out once.",
    }),
  ),
};

/** Throws a Failure for a key in another format. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const given = headers["idempotency-key"];
  const key = Array.isArray(given) ? given.join(", ") : given;
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const problem = inputProblem("header", ["idempotency-key"], {
    keyword: "pattern",
    message: "must be 1 to 255 printable ASCII characters without blanks",
    solution: "Use a UUID, for example.",
  });
  throw inputFailure([problem]);
}
