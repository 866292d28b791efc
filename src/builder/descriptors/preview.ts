/**
 * The descriptor of a system in the catalogue, built in the same way as from an archive with the same files.
 */
import { Failure } from "../../platform/errors/failure.ts";
import { findEntity } from "../catalogue/lookup.ts";
import { normalRef } from "../entity.ts";
import { measureSystem, readSystemFiles, type StoredFile } from "../catalogue/descriptor-store.ts";
import type { BuilderContext } from "../context.ts";
import { builderFailure } from "../errors.ts";
import type { UnpackedDirectory } from "./unpack.ts";
import { describeUnpacked, type BuiltDescriptor, type DescriptorDeps } from "./service.ts";

export interface PreviewRequest {
  /** Reference of the system; the kind and the namespace may be left out. */
  systemRef: string;
  environment: string;
}

/** Throws a Failure when there is no such system, or with all problems of the system and its components. */
export async function previewDescriptor(
  ctx: BuilderContext,
  request: PreviewRequest,
  deps: DescriptorDeps,
): Promise<BuiltDescriptor> {
  const db = ctx.builder.database.db;
  const ref = normalRef(request.systemRef, { kind: "system" });
  const system = ref === null ? null : await findEntity(db, ref);
  if (ref === null || system === null || !ref.startsWith("system:")) {
    const message = `There is no system ${request.systemRef.slice(0, 200)} in the catalogue.`;
    throw builderFailure("BUILDER_ENTITY_NOT_FOUND", { message, where: "/systemRef" });
  }
  const { entities, bytes } = await measureSystem(db, ref);
  if (entities > deps.limits.maxEntries || bytes > deps.limits.maxStoredBytes) {
    throw invalid(
      `The system has ${entities} entities with ${bytes} bytes, which is more than is built from.`,
    );
  }
  const files = await readSystemFiles(db, ref);
  const used = files.filter((file) => file.ref === ref || !file.orphan);
  const unpacked = { directories: directoriesOf(used), problems: [], stopped: false };
  try {
    const built = await describeUnpacked(ctx, { unpacked, environment: request.environment }, deps);
    return {
      json: built.json,
      warnings: [...built.warnings, ...orphanWarnings(files, ref)],
      descriptor: built.descriptor,
    };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "BUILDER_INVALID_ARCHIVE") throw error;
    throw builderFailure("BUILDER_INVALID_PREVIEW", {
      message: error.message.replace("The archive", "The system"),
      problems: error.problems.map((problem) =>
        problem.where === "/archive" ? { where: "/systemRef", message: problem.message } : problem,
      ),
    });
  }
}

const invalid = (message: string): Failure =>
  builderFailure("BUILDER_INVALID_PREVIEW", { message, where: "/systemRef" });

/** Each entity becomes the directory that it would be in an archive. */
function directoriesOf(files: readonly StoredFile[]): UnpackedDirectory[] {
  const directories = new Map<string, UnpackedDirectory>();
  for (const { ref, entity, name, content } of files) {
    const directory = directories.get(ref) ?? {
      directory: entity,
      configurations: new Map<string, Uint8Array>(),
    };
    directories.set(ref, directory);
    const environment = /^environments\/([^/]+)\/configurations\.yaml$/.exec(name)?.[1];
    if (environment !== undefined) directory.configurations.set(environment, content);
    else if (name === "parameters.yaml") directory.parameters = content;
    else directory.catalogInfo = content;
  }
  return [...directories.values()].sort((a, b) => (a.directory < b.directory ? -1 : 1));
}

/** Components that are orphans in the catalogue are no longer part of the system. */
function orphanWarnings(files: readonly StoredFile[], systemRef: string): string[] {
  const orphans = new Set(files.filter(({ orphan }) => orphan).map(({ ref }) => ref));
  return [...orphans].map((ref) =>
    ref === systemRef
      ? `${ref} is in its location no more; what was last read of it is used.`
      : `${ref} is in its location no more, so it was left out.`,
  );
}
