/** Multipart forms: their plugin, their limits, and why one cannot be read. */
import multipart, { type Multipart } from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { errorCode } from "../../errors/error-code.ts";

/** Lets the operations of an area's scope read forms. */
export async function acceptForms(fastify: FastifyInstance): Promise<void> {
  await fastify.register(multipart, { throwFileSizeLimit: false });
}

/** Limits of every form besides its files. */
export const formLimits = {
  fields: 20,
  files: 10,
  parts: 30,
  fieldSize: 4_096,
  fieldNameSize: 200,
  headerPairs: 50,
} as const;

/** The parts as they arrive; each file has to be read, or left by `resume()`, before the next part. */
export const formParts = (request: FastifyRequest, fileBytes: number): AsyncIterable<Multipart> =>
  request.parts({ limits: { ...formLimits, fileSize: fileBytes } });

export type FormFault = "tooManyParts" | "reservedName" | "brokenJson" | "interrupted" | "malformed";

/** Null for an error that is not of the form. The parser's own texts and statuses are not exposed. */
export function formFaultOf(error: unknown): FormFault | null {
  const code = errorCode(error);
  const text = error instanceof Error ? error.message : "";
  if (/^FST_(?:PARTS|FILES|FIELDS)_LIMIT$/.test(code)) return "tooManyParts";
  if (code === "FST_PROTO_VIOLATION") return "reservedName";
  if (code === "FST_INVALID_JSON_FIELD_ERROR") return "brokenJson";
  if (code === "FST_MP_PREMATURE_CLOSE" || /terminated early|Unexpected end of multipart/.test(text))
    return "interrupted";
  return /Boundary not found|Malformed|multipart/i.test(text) ? "malformed" : null;
}
