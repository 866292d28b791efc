/** A policy or metric as it is stored. */
import type { PolicyContent } from "./schema.ts";
import type { PolicyStatus } from "./transitions.ts";

export interface PolicyRow {
  id: string;
  version: number;
  status: PolicyStatus;
  graceUntil: Date | null;
  content: PolicyContent;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  updatedBy: string;
}

export interface VersionRow {
  version: number;
  content: PolicyContent;
  createdAt: Date;
  createdBy: string;
}
