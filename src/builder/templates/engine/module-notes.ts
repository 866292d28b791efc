/** The filters and globals of modules, and their descriptions. */
import type { TemplateFilter, TemplateGlobal } from "nunjitsu";
import type { Json } from "./template-value.ts";

/** As shown to template editors; schemas and examples when the module provides them. */
export interface ExtensionNote {
  description: string;
  schema?: object;
  examples?: object[];
}

export interface ModuleNotes {
  filters: Record<string, ExtensionNote>;
  functions: Record<string, ExtensionNote>;
  values: Record<string, { description?: string; value: Json }>;
  /** Parts of the modules that cannot be used, with the reason. */
  problems: string[];
}

export interface ModuleExtensions {
  filters: Record<string, TemplateFilter>;
  globals: Record<string, TemplateGlobal>;
  notes: ModuleNotes;
}

export const noExtensions = (): ModuleExtensions => ({
  filters: Object.create(null),
  globals: Object.create(null),
  notes: { filters: {}, functions: {}, values: {}, problems: [] },
});
