/** The files of an entity in an archive. */
export const entityFileNames = ["parameters.yaml", "catalog-info.yaml", "configurations.yaml"] as const;
export type EntityFileName = (typeof entityFileNames)[number];

/** The relevant files of one directory of an archive, as bytes. */
export interface EntityDirectory {
  directory: string;
  files: Partial<Record<EntityFileName, Uint8Array>>;
}

/** Path of an entity's file within the archive; error messages show it. */
export const entityFilePath = (directory: string, file: EntityFileName, environment: string): string =>
  file === "configurations.yaml"
    ? `${directory}/environments/${environment}/${file}`
    : `${directory}/${file}`;
