/**
 * Creates a bare repository of this server atomically: it is built in a temporary folder and then renamed to
 * its place, which fails if something exists there. It contains the id of the instantiation that created it,
 * so that an attempt after a crash recognises its own work, and the repository of another task is never
 * changed.
 */
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../../platform/errors/error-code.ts";
import { builderFailure } from "../../errors.ts";
import { git, tryGit } from "../run-git.ts";
import { removeStale } from "../scratch.ts";

export interface OwnRepository {
  dataDir: string;
  name: string;
  branch: string;
  /** Identifies the work of one step of one instantiation. */
  marker: string;
  description: string;
  parentRef: string | undefined;
  now: () => Date;
  signal: AbortSignal;
}

const stagingFolder = ".making";
/** Unfinished repositories of killed processes are removed after this time. */
const staleMs = 24 * 3_600_000;

/**
 * `fill` makes the commit in the folder that it is given. Returns the commit that is published in the end.
 */
export async function makeOwnRepository(
  repository: OwnRepository,
  fill: (gitDir: string) => Promise<string>,
): Promise<string> {
  const { dataDir, name, branch, marker, signal } = repository;
  if (!isRepositoryName(name)) {
    throw builderFailure("BUILDER_ACTION_INPUT", {
      message: `"${name.slice(0, 100)}" is no name of a repository: letters, digits, dots, hyphens and underscores, 100 at most.`,
    });
  }
  const place = join(repositoriesDir(dataDir), `${name}.git`);
  const parent = join(repositoriesDir(dataDir), stagingFolder);
  await mkdir(parent, { recursive: true });
  await removeStale(parent, repository.now().getTime() - staleMs);
  const gitDir = await mkdtemp(join(parent, "repository-"));
  try {
    const commit = await fill(gitDir);
    await describe(gitDir, repository);
    if (await moved(gitDir, place)) return commit;
    if ((await readMarker(place, signal)) !== marker) {
      throw builderFailure("BUILDER_REPOSITORY_EXISTS", {
        message: `There is a repository "${name}" already.`,
      });
    }
    // An earlier attempt of this step was published; its content may differ from this one.
    await git(["fetch", "-q", "--no-tags", "--", gitDir, `+refs/heads/${branch}:refs/heads/${branch}`], {
      gitDir: place,
      protocols: ["file"],
      signal,
    });
    return commit;
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

async function describe(
  gitDir: string,
  { marker, description, parentRef, signal }: OwnRepository,
): Promise<void> {
  const settings = {
    "plinth.madeby": marker,
    "plinth.description": description,
    "plinth.parent": parentRef ?? "",
  };
  for (const [key, value] of Object.entries(settings))
    if (value !== "") await git(["config", "--local", key, value], { gitDir, signal });
  for (const name of ["plinth-index", "hooks", "description"])
    await rm(join(gitDir, name), { recursive: true, force: true });
}

/** False when something exists at the target. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(errorCode(error))) return false;
    throw error;
  }
}

async function readMarker(gitDir: string, signal: AbortSignal): Promise<string | null> {
  const { code, output } = await tryGit(["config", "--local", "--get", "plinth.madeby"], { gitDir, signal });
  return code === 0 ? output.toString("utf8").replace(/\n$/, "") : null;
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

const isRepositoryName = (name: string): boolean =>
  namePattern.test(name) && !name.includes("..") && !/\.(?:git|lock)$/i.test(name);

export const repositoriesDir = (dataDir: string): string => join(dataDir, "repositories");

/** The folder of a repository, whether it exists or not. Throws 404 for an invalid name. */
export function ownRepositoryDir(dataDir: string, name: string): string {
  if (!isRepositoryName(name)) throw noRepository(name);
  return join(repositoriesDir(dataDir), `${name}.git`);
}

export const noRepository = (name: string) =>
  builderFailure("BUILDER_REPOSITORY_NOT_FOUND", {
    message: `There is no repository "${name.slice(0, 100)}".`,
  });
