/** Pure: skills and agents as portable files, which name each other by key instead of id. */
import type { McpToolRef } from "../../record-schema.ts";
import type { RecordFile } from "./record-file.ts";

export interface PortableSkill {
  /** Lower case letters, digits and hyphens; the folder of the file. */
  key: string;
  name: string;
  description: string;
  content: string;
  mcp_tools: McpToolRef[];
}

export interface PortableAgent {
  key: string;
  name: string;
  label: string;
  description: string;
  instructions: string;
  enabled: boolean;
  display_order: number;
  mcp_tools: McpToolRef[];
  /** Keys of skills. */
  skills: string[];
  /** Keys of agents. */
  subagents: string[];
}

/** The content of a file with defaults for missing fields; a schema checks it afterwards. */
export function skillCandidate(
  key: string,
  { front, body }: RecordFile,
): Record<keyof PortableSkill, unknown> {
  const more = metadataOf(front);
  return {
    key,
    name: more["title"] ?? front["name"],
    description: front["description"] ?? "",
    content: body,
    mcp_tools: toolsOf(more["mcp-tools"]),
  };
}

export function agentCandidate(
  key: string,
  { front, body }: RecordFile,
): Record<keyof PortableAgent, unknown> {
  const more = metadataOf(front);
  const name = more["title"] ?? front["name"];
  return {
    key,
    name,
    label: more["label"] ?? name,
    description: front["description"] ?? "",
    instructions: body,
    enabled: more["enabled"] ?? true,
    display_order: more["display-order"] ?? 0,
    mcp_tools: toolsOf(more["mcp-tools"]),
    skills: more["skills"] ?? [],
    subagents: more["subagents"] ?? [],
  };
}

export const skillFile = ({ key, name, description, content, mcp_tools }: PortableSkill): RecordFile => ({
  front: { name: key, description, metadata: { title: name, "mcp-tools": mcp_tools.map(toolText) } },
  body: content,
});

export const agentFile = ({
  key,
  name,
  description,
  instructions,
  mcp_tools,
  ...more
}: PortableAgent): RecordFile => ({
  front: {
    name: key,
    description,
    metadata: {
      title: name,
      label: more.label,
      enabled: more.enabled,
      "display-order": more.display_order,
      skills: more.skills,
      subagents: more.subagents,
      "mcp-tools": mcp_tools.map(toolText),
    },
  },
  body: instructions,
});

function metadataOf(front: Record<string, unknown>): Record<string, unknown> {
  const { metadata } = front;
  return typeof metadata === "object" && metadata !== null ? { ...metadata } : {};
}

/** Tools are texts `server:name`, or objects when the server's name has a colon. */
function toolsOf(given: unknown): unknown {
  if (given === undefined) return [];
  return Array.isArray(given) ? given.map(toolOf) : given;
}

function toolOf(given: unknown): unknown {
  if (typeof given !== "string") return given;
  const colon = given.indexOf(":");
  return colon === -1 ? given : { server: given.slice(0, colon), name: given.slice(colon + 1) };
}

const toolText = ({ server, name }: McpToolRef): McpToolRef | string =>
  server.includes(":") ? { server, name } : `${server}:${name}`;
