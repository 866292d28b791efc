/** The bare repositories of this server on disk. */
import { join } from "node:path";
import { builderFailure } from "../errors.ts";

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export const isRepositoryName = (name: string): boolean =>
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
