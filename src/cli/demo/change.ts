/** Pure. The change that the demo makes to its example: an output port shows one more column. */
import { parseDocument } from "yaml";
import type { ArchiveFiles } from "../archive-file.ts";

export const changed = {
  directory: "latest-positions",
  column: { name: "depot", dataType: "STRING", description: "Where the vehicle spends the night" },
} as const;

const file = `${changed.directory}/catalog-info.yaml`;

/** The same files with one column more in one data contract. */
export function addColumn(files: ArchiveFiles): ArchiveFiles {
  const document = parseDocument(String(files[file]));
  document.addIn(["spec", "mesh", "dataContract", "schema"], document.createNode(changed.column));
  return { ...files, [file]: Buffer.from(document.toString()) };
}
