/** Pure. What the checks look at, and what they answer. */
import type { Finding } from "../finding.ts";
import type { Edit } from "../files/edit-yaml.ts";
import type { EntryRename } from "../files/rename-entry.ts";
import type { NamedVariable } from "../files/variable-file.ts";
import type { YamlFile } from "../files/yaml-file.ts";

/** What replaces an operation that was removed. */
export interface RemovedEndpoint {
  path: string;
  replacement: string;
}

export interface FileInputs {
  /** Values of the chart. */
  values: readonly YamlFile[];
  /** Configuration of the applications. */
  configs: readonly YamlFile[];
  variables: readonly NamedVariable[];
  removedEndpoints: readonly RemovedEndpoint[];
  /** The class to give ingresses that name none. */
  ingressClass?: string | undefined;
  /** What the catalogue already has; null where no database was looked at. */
  catalogue: { hasTaxonomy: boolean; hasAccessTemplates: boolean } | null;
}

export interface FileEdit {
  file: string;
  edit: Edit | EntryRename;
}

/** A line `OLD=value` of a file of variables that becomes `NEW=value`, or goes where `now` has a value there. */
export interface VariableEdit {
  file: string;
  old: string;
  now: string;
}

/** Presentation of a page that was a setting, to be looked at before it is published. */
export interface CustomViewDraft {
  pageId: string;
  part: "grid" | "side";
  /** Path of the setting. */
  from: string;
  content: unknown;
}

export interface Found extends Finding {
  edits?: readonly FileEdit[];
  renames?: readonly VariableEdit[];
  draft?: CustomViewDraft;
}
