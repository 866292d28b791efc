/** Pure: the records of users as they are stored, and what they refer to. */
import type { McpToolRef } from "../record-schema.ts";

export interface OwnSkill {
  id: string;
  name: string;
  description: string;
  content: string;
  mcpTools: McpToolRef[];
}

export interface OwnAgent {
  id: string;
  name: string;
  label: string;
  description: string;
  instructions: string;
  enabled: boolean;
  isDefault: boolean;
  displayOrder: number;
  mcpTools: McpToolRef[];
}

export interface OwnExternalAgent {
  id: string;
  name: string;
  description: string;
  /** As everybody may see them, or opened for whoever may edit them. */
  endpoint: string;
  payload: Record<string, unknown>;
  needAuthentication: boolean;
  active: boolean;
}

export interface OwnRecords {
  skills: OwnSkill[];
  agents: OwnAgent[];
  externalAgents: OwnExternalAgent[];
  /** Ids of the shipped ones by their keys. */
  shippedSkills: Map<string, string>;
  shippedAgents: Map<string, string>;
  orchestrator: string | null;
  /** Of every agent, the shipped ones too, in their order. */
  skillsOf: Map<string, string[]>;
}
