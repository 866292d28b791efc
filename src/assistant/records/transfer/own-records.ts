/** Pure: types of users' records as they are stored, and of what they refer to. */
import type { McpToolRef } from "../../record-schema.ts";

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
  /** Masked, or opened for users who may edit the agent. */
  endpoint: string;
  payload: Record<string, unknown>;
  needAuthentication: boolean;
  active: boolean;
}

export interface OwnRecords {
  skills: OwnSkill[];
  agents: OwnAgent[];
  externalAgents: OwnExternalAgent[];
  /** Ids of shipped records by key. */
  shippedSkills: Map<string, string>;
  shippedAgents: Map<string, string>;
  orchestrator: string | null;
  /** Skill ids of every agent in their order, including shipped agents. */
  skillsOf: Map<string, string[]>;
}
