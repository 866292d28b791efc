import type { IncomingHttpHeaders } from "node:http";
import { Type } from "typebox";
import { inputFailure } from "../errors.ts";
import type { InputProblem } from "../operation.ts";
import { inputProblem } from "./problems.ts";

const header = "idempotency-key";
const maxLength = 255;
const pattern = "^[\\x21-\\x7e]+$";

/** The header in the document of an operation; `readIdempotencyKey` reads it. */
export const idempotencyHeader = (
  description = "Printable ASCII. The same request under the same key is carried out once.",
) => ({
  [header]: Type.Optional(Type.String({ minLength: 1, maxLength, pattern, description })),
});

/** The key and, when it has another form, the problem with it. */
export function checkIdempotencyKey(headers: IncomingHttpHeaders): {
  key: string | undefined;
  problems: InputProblem[];
} {
  const key = headerText(headers[header]);
  if (key === undefined || (key.length <= maxLength && new RegExp(pattern).test(key)))
    return { key, problems: [] };
  const problem = inputProblem("header", [header], {
    keyword: "pattern",
    message: `must be 1 to ${maxLength} printable ASCII characters without blanks`,
    solution: "Use a UUID, for example.",
  });
  return { key, problems: [problem] };
}

/** Throws a Failure for a key in another form. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const { key, problems } = checkIdempotencyKey(headers);
  if (problems.length > 0) throw inputFailure(problems);
  return key;
}

/** A header that was sent several times, as one text. */
export const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(", ") : value;
