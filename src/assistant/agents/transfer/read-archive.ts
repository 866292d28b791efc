/** Reads the archive from an upload. */
import type { FastifyRequest } from "fastify";
import { bodyTooLarge } from "../../../platform/http/errors.ts";
import { formFaultOf, formParts } from "../../../platform/http/input/multipart.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import { bodyProblem, invalidBody, refuseProblems } from "../../body-problems.ts";
import { archiveLimits } from "./archive.ts";

/** Reads the form to its end, so that the client gets the response. */
export async function readArchive(ctx: RequestContext, request: FastifyRequest): Promise<Buffer> {
  let archive: Buffer | null = null;
  let isTooLarge = false;
  const problems = [];
  try {
    for await (const part of formParts(request, archiveLimits.packedBytes)) {
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
    if (!ctx.signal.aborted && formFaultOf(error) === null) throw error;
    throw invalidBody([bodyProblem([], "is not a whole multipart form with few parts")]);
  }
  if (isTooLarge) throw bodyTooLarge(archiveLimits.packedBytes);
  refuseProblems(problems);
  if (archive === null)
    throw invalidBody([{ ...bodyProblem(["archive"], "is required"), keyword: "required" }]);
  return archive;
}
