import type { Readable } from "node:stream";
import type { Problem } from "../../platform/errors/failure.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import { builderFailure } from "../errors.ts";
import type { ReadTaxonomy } from "../ports.ts";
import type { Renderer } from "../renderer.ts";
import type { ArchiveLimits } from "./archive-limits.ts";
import { filesFor, unpackArchive, type Unpacked, type UnpackedDirectory } from "./unpack.ts";
import type { EntitySummary } from "./checks.ts";
import {
  startDescribing,
  summaryOfBroken,
  type DescribeOptions,
  type Describing,
} from "./describe-archive.ts";
import type { BatchContext } from "./entities/entity-batch.ts";
import { emptyTaxonomy } from "../catalogue/entities/taxonomy.ts";

export interface DescriptorDeps {
  /** Names of the configured environments. */
  environments: readonly string[];
  /** The `<ns>` of every URN. */
  namespace: string;
  limits: ArchiveLimits;
  /** Longest rendering and parsing of one file. */
  renderTimeoutMs: number;
  renderer: Pick<Renderer, "run">;
  readTaxonomy?: ReadTaxonomy;
}

export interface BuiltDescriptor {
  /** The descriptor as JSON text in UTF-8, ready to be sent. */
  json: Buffer;
  /** The same as a value; parsed on demand, because a large one takes time. */
  readonly descriptor: Record<string, unknown>;
  warnings: string[];
}

/** An archive that has been read. */
export interface ReadArchive {
  unpacked: Unpacked;
  /** The description that began during the upload; null when the environment was not known then. */
  describing: Describing | null;
}

/**
 * Builds the descriptor of the system in an uploaded archive for one environment. Throws a Failure that lists
 * all problems of the environment, the archive and its entities.
 */
export const buildDescriptor = async (
  ctx: RequestContext,
  request: { archive: Readable; environment: string },
  deps: DescriptorDeps,
): Promise<BuiltDescriptor> => {
  const read = await unpackUpload(ctx, request.archive, { deps, environment: request.environment });
  return describeUnpacked(ctx, { ...read, environment: request.environment }, deps);
};

/**
 * The reading half of a build. With an environment, entities are described while the rest arrives; without one it
 * keeps the configurations of all configured environments.
 */
export const unpackUpload = async (
  ctx: RequestContext,
  archive: Readable,
  { deps, environment }: { deps: DescriptorDeps; environment?: string },
): Promise<ReadArchive> => {
  const describing = environment === undefined ? null : startDescribing(describeOptions(environment, deps));
  const describe = (directory: UnpackedDirectory): void => {
    if (environment !== undefined && isComplete(directory)) describing?.add(filesFor(directory, environment));
  };
  try {
    const unpacked = await unpackArchive(archive, {
      limits: deps.limits,
      environments: new Set(environment === undefined ? deps.environments : [environment]),
      signal: ctx.signal,
      onLeft: describe,
      onReturned: () => describing?.stop(),
    });
    if (unpacked.stopped) describing?.stop();
    return { unpacked, describing };
  } catch (error) {
    describing?.stop();
    throw error;
  }
};

const describeOptions = (environment: string, deps: DescriptorDeps): DescribeOptions => ({
  renderer: deps.renderer,
  stepTimeoutMs: deps.renderTimeoutMs,
  context: contextOf(environment, deps),
});

const contextOf = async (environment: string, deps: DescriptorDeps): Promise<BatchContext> => ({
  environment,
  namespace: deps.namespace,
  taxonomy: (await deps.readTaxonomy?.()) ?? emptyTaxonomy,
  maxDescriptorBytes: deps.limits.maxDescriptorBytes,
});

const isComplete = ({ catalogInfo }: UnpackedDirectory): boolean => catalogInfo !== undefined;

/** The other half: everything after the last byte of the upload. */
export const describeUnpacked = async (
  ctx: RequestContext,
  request: { unpacked: Unpacked; describing?: Describing | null; environment: string },
  deps: DescriptorDeps,
): Promise<BuiltDescriptor> => {
  const { unpacked, environment } = request;
  const problems = [...checkEnvironment(environment, deps.environments), ...unpacked.problems];
  // What is missing in a truncated archive would only be reported as absent.
  if (unpacked.stopped || (unpacked.directories.length === 0 && problems.length > 0))
    throw refused(problems, deps);
  if (unpacked.directories.length === 0) throw refused([noDirectories], deps);

  const describing = request.describing ?? startDescribing(describeOptions(environment, deps));
  const complete = unpacked.directories.filter(isComplete);
  const described = await describing.finish(complete.map((directory) => filesFor(directory, environment)));
  const missing = unpacked.directories.filter((directory) => !isComplete(directory));
  const unit = await deps.renderer.run(
    "resolve",
    {
      described: described.described,
      others: [...described.broken, ...missing.map(withoutEntity)],
      maxListed: deps.limits.maxProblems,
    },
    described.described.map(({ buffer }) => buffer),
  );
  if ("overrun" in unit) throw refused([...problems, tooComplex], deps);
  problems.push(...unit.problems);
  const system = unit.system === null ? undefined : described.texts.get(unit.system);
  if (problems.length > 0 || system === undefined) {
    throw refused(problems, deps, unit.problemCount - unit.problems.length);
  }
  const json = joinDescriptor(
    system,
    unit.components.flatMap((directory) => described.texts.get(directory) ?? []),
  );
  if (json.length > deps.limits.maxDescriptorBytes) throw refused([tooLong(deps)], deps);
  const warnings = [...unit.warnings];
  if (warnings.length > 0)
    ctx.log.warn({ warnings: warnings.slice(0, 20), environment }, "descriptor built with warnings");
  return {
    json,
    warnings,
    get descriptor() {
      const value: Record<string, unknown> = JSON.parse(json.toString("utf8"));
      return value;
    },
  };
};

/** The problem of an environment that is not configured. */
export const checkEnvironment = (environment: string, environments: readonly string[]): Problem[] =>
  environments.includes(environment)
    ? []
    : [
        {
          where: "/environment",
          message: `The environment "${environment.slice(0, 100)}" is not configured.`,
          solution: `Use one of ${environments.join(", ")}.`,
        },
      ];

const noDirectories: Problem = {
  where: "/archive",
  message: "The archive has no entity directory.",
  solution: "Put each entity into a directory of its own at the top of the archive.",
};

const tooLong = ({ limits }: DescriptorDeps): Problem => ({
  where: "/archive",
  message: `The descriptor is larger than ${limits.maxDescriptorBytes} bytes.`,
});

const tooComplex: Problem = {
  where: "/archive",
  message: "The components have more dependencies than can be put in order in time.",
};

const withoutEntity = ({ directory }: UnpackedDirectory): EntitySummary =>
  summaryOfBroken(directory, {
    where: directory,
    message: `The directory ${directory} has no catalog-info.yaml.`,
    solution: "Every top-level directory is an entity; add the file or leave the directory out.",
  });

/** The failure of an archive with these problems and a number of unlisted ones. */
const refused = (problems: readonly Problem[], { limits }: DescriptorDeps, unlisted = 0) => {
  const listed = problems.slice(0, limits.maxProblems);
  const total = problems.length + unlisted;
  const more = total - listed.length;
  if (more > 0) listed.push({ where: "/archive", message: `${more} more problems are not listed.` });
  return builderFailure("BUILDER_INVALID_ARCHIVE", {
    message: `The archive cannot become a descriptor: ${total === 1 ? "1 problem" : `${total} problems`}.`,
    problems: listed,
  });
};

/** Inserts the JSON of the components into that of the system, which has no `components` of its own. */
const joinDescriptor = (system: Uint8Array, components: readonly Uint8Array[]): Buffer => {
  const parts: Uint8Array[] = [system.subarray(0, -1), Buffer.from(',"components":[')];
  components.forEach((component, index) => {
    if (index > 0) parts.push(Buffer.from(","));
    parts.push(component);
  });
  parts.push(Buffer.from("]}"));
  return Buffer.concat(parts);
};
