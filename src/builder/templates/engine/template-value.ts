/** Values that templates work with. */
import type { TemplateContext, TemplateValue } from "nunjitsu";

export type { TemplateContext, TemplateValue };

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type RenderResult =
  | { ok: true; value: TemplateValue | undefined }
  | { ok: false; reason: string; line?: number; column?: number };
