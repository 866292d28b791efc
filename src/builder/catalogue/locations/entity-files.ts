/** The files of a system or a component that its descriptor is built from. */
import type { Entity } from "../entity.ts";
import { beside, parametersPath, type FileReader } from "./file-reader.ts";

/** By name, as in a directory of an archive: `catalog-info.yaml`, `environments/<environment>/configurations.yaml`. */
export type EntityFiles = ReadonlyMap<string, Buffer>;

export interface EntityFilesOptions {
  /** Path of the entity's own file in its location. */
  file: string;
  reader: Pick<FileReader, "read">;
  environments: readonly string[];
  own: Buffer;
}

/** Parameters and configurations are those beside a file that has the name and the place of an archive's. */
export async function readFiles(entity: Entity, options: EntityFilesOptions): Promise<EntityFiles> {
  const files = new Map<string, Buffer>();
  if (!/^(?:system|component)$/i.test(entity.kind)) return files;
  const { file, reader, environments, own } = options;
  files.set("catalog-info.yaml", own);
  if (!/(?:^|\/)catalog-info\.ya?ml$/.test(file)) return files;
  const parameters = await reader.read(parametersPath(file));
  if (parameters !== null) files.set("parameters.yaml", parameters);
  for (const environment of environments) {
    const name = `environments/${environment}/configurations.yaml`;
    const configuration = await reader.read(beside(file, name));
    if (configuration !== null) files.set(name, configuration);
  }
  return files;
}
