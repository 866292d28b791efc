import { finished } from "node:stream/promises";
import type { MultipartFile, MultipartValue } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { Failure, type Problem } from "../../platform/errors/failure.ts";
import { formFaultOf, formLimits, formParts, type FormFault } from "../../platform/http/input/multipart.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import { builderFailure } from "../errors.ts";
import { checkEnvironment, unpackUpload, type DescriptorDeps, type ReadArchive } from "./service.ts";

export interface Upload extends ReadArchive {
  environment: string;
}

/** How long the rest of a refused upload is read and discarded, so that the client receives the response. */
const drainMs = 5_000;

/**
 * Reads the multipart form of a descriptor build. The archive is unpacked as it arrives, whether the
 * environment comes before or after it. Throws one Failure with every problem of the form.
 */
export const readUpload = async (
  ctx: RequestContext,
  request: FastifyRequest,
  deps: DescriptorDeps,
): Promise<Upload> => {
  const form: Form = { problems: [], environment: null, read: null, archives: 0, refusal: null };
  try {
    for await (const part of formParts(request, deps.limits.maxUploadBytes + 1)) {
      if (part.type === "field") readField(part, form);
      else await readFile(ctx, part, { form, deps });
      if (form.read?.unpacked.stopped === true) break;
    }
  } catch (error) {
    form.read?.describing?.stop();
    if (ctx.signal.aborted) throw refuse([interrupted]);
    const fault = formFaultOf(error);
    if (error instanceof Failure) form.refusal = error;
    else if (fault === null) throw error;
    else form.problems.push({ where: "", message: faultTexts[fault] });
  }
  const failure = formFailure(form, deps);
  if (failure === null) return { environment: form.environment ?? "", ...form.read! };
  form.read?.describing?.stop();
  await drain(request, deps.limits.maxUploadBytes);
  throw failure;
};

interface Form {
  problems: Problem[];
  environment: string | null;
  read: ReadArchive | null;
  archives: number;
  /** The error that ended reading, with its own code and status. */
  refusal: Failure | null;
}

const readField = (part: MultipartValue, form: Form): void => {
  const where = `/${part.fieldname}`;
  if (part.fieldname === "archive") {
    form.archives += 1;
    form.problems.push({ where, message: "The archive must be sent as a file, with a file name." });
  } else if (part.fieldname === "environment") {
    if (form.environment !== null) {
      form.problems.push({ where, message: "The environment is given more than once." });
    } else if (typeof part.value !== "string" || part.valueTruncated) {
      form.problems.push({ where, message: "The environment must be a short text." });
      form.environment = "";
    } else {
      form.environment = part.value.trim();
    }
  }
};

const readFile = async (
  ctx: RequestContext,
  part: MultipartFile,
  { form, deps }: { form: Form; deps: DescriptorDeps },
): Promise<void> => {
  const problem = fileProblem(part, form);
  if (part.fieldname === "archive") form.archives += 1;
  if (part.fieldname === "environment") form.environment ??= "";
  if (problem !== null) {
    form.problems.push(problem);
    part.file.resume();
    await finished(part.file);
    return;
  }
  const environment = form.environment ?? "";
  form.read = await unpackUpload(ctx, part.file, {
    deps,
    ...(environment === "" ? {} : { environment }),
  });
};

const fileProblem = (part: MultipartFile, form: Form): Problem | null => {
  const where = `/${part.fieldname.slice(0, 100)}`;
  if (part.fieldname === "environment")
    return { where, message: "The environment must be a text, not a file." };
  if (part.fieldname !== "archive") return { where, message: "The form has no file of this name." };
  if (form.archives > 0) return { where, message: "The form has more than one archive." };
  if (/\.(?:tar\.gz|tgz)$/i.test(part.filename)) return null;
  return {
    where,
    message: "The archive's file name must end in .tar.gz or .tgz.",
    solution: "Pack it as .tar.gz.",
  };
};

/** The failure of a form; null when it is valid. */
const formFailure = (form: Form, deps: DescriptorDeps): Failure | null => {
  const { problems, read, refusal } = form;
  const unpacked = read?.unpacked;
  if (refusal !== null) return refusal;
  // After an early stop, the rest of the form is unknown.
  const isWhole = unpacked?.stopped !== true && !problems.some((problem) => problem.where === "");
  const missing: Problem[] = [];
  if (isWhole && form.archives === 0) missing.push({ where: "/archive", message: "The archive is missing." });
  if (isWhole && (form.environment === null || (form.environment === "" && problems.length === 0))) {
    missing.push({ where: "/environment", message: "The environment is missing." });
  }
  const unknown = form.environment ? checkEnvironment(form.environment, deps.environments) : [];
  if (unpacked?.stopped === true) {
    const all = [...problems, ...unknown, ...unpacked.problems];
    return builderFailure("BUILDER_INVALID_ARCHIVE", {
      message: "The archive cannot be read.",
      problems: all,
    });
  }
  const all = [...problems, ...missing];
  // An unknown environment is reported together with the problems of the entities.
  return all.length === 0 ? null : refuse([...all, ...unknown, ...(unpacked?.problems ?? [])]);
};

const refuse = (problems: Problem[]): Failure =>
  builderFailure("BUILDER_INVALID_UPLOAD", { message: "The form is not a descriptor build.", problems });

const interrupted: Problem = { where: "", message: "The upload ended before the form was complete." };

const faultTexts: Record<FormFault, string> = {
  tooManyParts: `The form has more than ${formLimits.parts} parts, or too many of one kind.`,
  reservedName: "A part of the form has a reserved name.",
  brokenJson: "A JSON part of the form is not JSON.",
  interrupted: interrupted.message,
  malformed: "The body is not a well-formed multipart form.",
};

/**
 * Reads and discards the rest within the upload limit and a short time; after that the connection is closed.
 */
const drain = async ({ raw }: FastifyRequest, maxBytes: number): Promise<void> => {
  if (raw.complete || raw.destroyed) return;
  raw.unpipe();
  let left = maxBytes;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, drainMs);
  const onData = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) resolve();
  };
  raw.on("data", onData);
  for (const event of ["end", "error", "close"]) raw.once(event, resolve);
  raw.resume();
  await promise;
  clearTimeout(timer);
  raw.off("data", onData);
  for (const event of ["end", "error", "close"]) raw.off(event, resolve);
  if (!raw.complete) raw.pause();
};
