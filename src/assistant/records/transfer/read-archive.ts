/** Reads the archive from an upload. */
import type { FastifyRequest } from "fastify";
import { bodyTooLarge } from "../../../platform/http/errors.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import { bodyProblem, invalidBody, refuseProblems } from "../../body-problems.ts";
import { archiveLimits } from "./archive.ts";

const formLimits = {
  fields: 20,
  files: 10,
  parts: 30,
  fieldSize: 4_096,
  fieldNameSize: 200,
  headerPairs: 50,
  fileSize: archiveLimits.packedBytes,
} as const;

/** Reads the form to its end, so that the client gets the response. */
export async function readArchive(ctx: RequestContext, request: FastifyRequest): Promise<Buffer> {
  let archive: Buffer | null = null;
  let isTooLarge = false;
  const problems = [];
  try {
    for await (const part of request.parts({ limits: formLimits })) {
      if (part.fieldname !== "archive") {
        problems.push(bodyProblem([part.fieldname.slice(0, 100)], "is no part of this form"));
        if (part.type === "file") part.file.resume();
      } else if (part.type === "field") {
        problems.push(bodyProblem(["archive"], "must be sent as a file, with a file name"));
      } else if (archive === null) {
        archive = await part.toBuffer();
        isTooLarge = part.file.truncated;
      } else {
        part.file.resume();
        problems.push(bodyProblem(["archive"], "is given more than once"));
      }
    }
  } catch (error) {
    throw formFailure(ctx, error);
  }
  if (isTooLarge) throw bodyTooLarge(archiveLimits.packedBytes);
  refuseProblems(problems);
  if (archive === null)
    throw invalidBody([{ ...bodyProblem(["archive"], "is required"), keyword: "required" }]);
  return archive;
}

/** Errors of the form parser, with a message of our own. */
function formFailure(ctx: RequestContext, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const text = error instanceof Error ? error.message : "";
  const isOfTheForm =
    ctx.signal.aborted ||
    /^FST_(?:PARTS|FILES|FIELDS|PROTO|INVALID|MP)_/.test(code) ||
    /terminated early|Unexpected end|Boundary not found|Malformed|multipart/i.test(text);
  return isOfTheForm ? invalidBody([bodyProblem([], "is not a whole multipart form with few parts")]) : error;
}
