/** What modules of filters and globals bring, and what is told of it. */
import type { TemplateFilter, TemplateGlobal } from "nunjitsu";
import type { Json } from "./render-input.ts";

/** As editors of templates are told of them; schemas and examples where the module has some. */
export interface ExtensionNote {
  description: string;
  schema?: object;
  examples?: object[];
}

export interface ModuleNotes {
  filters: Record<string, ExtensionNote>;
  functions: Record<string, ExtensionNote>;
  values: Record<string, { description?: string; value: Json }>;
  /** What of the modules can't be used, and why. */
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
