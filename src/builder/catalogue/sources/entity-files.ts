/** The files of a system or a component that its descriptor is built from. */
import type { Entity } from "../../entity.ts";
import { beside, parametersPath, type FileReader } from "./file-reader.ts";

/**
 * By name, as in a directory of an archive: `catalog-info.yaml`,
 * `environments/<environment>/configurations.yaml`.
 */
export type EntityFiles = ReadonlyMap<string, Buffer>;

export interface EntityFilesOptions {
  /** Path of the entity's own file in its location. */
  file: string;
  reader: Pick<FileReader, "read">;
  environments: readonly string[];
  own: Buffer;
}

/** Parameters and configurations are read beside an entity file that has the same name as in an archive. */
export async function readFiles(entity: Entity, options: EntityFilesOptions): Promise<EntityFiles> {
  const files = new Map<string, Buffer>();
  if (!/^(?:system|component)$/i.test(entity.kind)) return files;
  const { file, reader, environments, own } = options;
  files.set("catalog-info.yaml", own);
  if (!/(?:^|\/)catalog-info\.ya?ml$/.test(file)) return files;
  const wanted = new Map([["parameters.yaml", parametersPath(file)]]);
  for (const environment of environments) {
    const name = `environments/${environment}/configurations.yaml`;
    wanted.set(name, beside(file, name));
  }
  const found = await Promise.all(
    [...wanted].map(async ([name, path]) => ({ name, content: await reader.read(path) })),
  );
  for (const { name, content } of found) if (content !== null) files.set(name, content);
  return files;
}
