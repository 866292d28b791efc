/** Pure: skills and agents as portable files, which name each other by key instead of id. */
import { type McpToolRef, mcpToolRefs, uuid } from "../../record-schema.ts";
import { CORE_SCHEMA, YAMLException, dump, load } from "js-yaml";
import { Type, type Static } from "typebox";
import { asInput, createChecker } from "../../../platform/http/input/check-input.ts";
import type { InputProblem } from "../../../platform/http/operation.ts";
import { agentBody } from "../schema.ts";
import { externalAgentBody, type ExternalAgentBody } from "../external/schema.ts";
import { skillBody } from "../skill-schema.ts";

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

// Markdown files with front matter, in which skills and agents are shipped, exported and imported.

export interface RecordFile {
  front: Record<string, unknown>;
  /** The text below the front matter. */
  body: string;
}

const fence = /^---\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/** The file, or what is wrong with it. */
export function readRecordFile(text: string): RecordFile | string {
  const found = fence.exec(text);
  if (found?.index !== 0) return "does not begin with front matter between two lines of ---";
  try {
    const front: unknown = load(found[1] ?? "", { schema: CORE_SCHEMA, maxDepth: 10, maxAliases: 0 });
    if (typeof front !== "object" || front === null || Array.isArray(front))
      return "has front matter that is no mapping";
    const body = text.slice(found[0].length).replace(/^\r?\n/, "");
    return { front: { ...front }, body };
  } catch (error) {
    const reason = error instanceof YAMLException ? error.reason : "nested too deeply";
    return `has front matter that is no YAML: ${reason}`;
  }
}

export const printRecordFile = ({ front, body }: RecordFile): string =>
  `---\n${dump(front, { lineWidth: 118 })}---\n\n${body}`;

// Checks of skills, agents and external agents that come from files.

const key = Type.String({ pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$", maxLength: 64 });
const keys = Type.Array(key, { maxItems: 1_000 });

const { name, description, content } = skillBody.properties;
const { label, instructions, enabled, display_order } = agentBody.properties;

const checker = createChecker();
const checkSkill = checker.compile(
  "body",
  Type.Object({ key, name, description, content, mcp_tools: mcpToolRefs() }),
);
const checkAgent = checker.compile(
  "body",
  Type.Object({
    key,
    name,
    label,
    description,
    instructions,
    enabled,
    display_order,
    mcp_tools: mcpToolRefs(),
    skills: keys,
    subagents: keys,
  }),
);

const more = Type.Object({
  id: Type.Optional(uuid("Identifies the record; without it the name does.")),
  agents: Type.Optional(keys),
});
/** Metadata of a file besides the record. */
type More = Static<typeof more>;

const checkMore = checker.compile("body", more);
const checkExternalAgent = checker.compile(
  "body",
  asInput(
    Type.Object({
      ...externalAgentBody.properties,
      id: Type.Optional(uuid()),
      payload: Type.Object(
        { protocol: Type.Optional(Type.Enum(["a2a", "agui", "openai", "http"])) },
        { additionalProperties: true, default: {} },
      ),
    }),
  ),
);

export type ExternalAgentFile = ExternalAgentBody & { id?: string };

export type Checked<T> = { value: T } | { problems: InputProblem[] };

export const readSkill = (candidate: unknown): Checked<PortableSkill> =>
  checked(checkSkill(candidate), candidate);

export const readAgent = (candidate: unknown): Checked<PortableAgent> =>
  checked(checkAgent(candidate), candidate);

export const readMore = (candidate: unknown): Checked<More> => checked(checkMore(candidate), candidate);

/** Fills in defaults. */
export const readExternalAgent = (candidate: unknown): Checked<ExternalAgentFile> =>
  checked(checkExternalAgent(candidate), candidate);

const checked = <T>(problems: InputProblem[], value: unknown): Checked<T> =>
  problems.length > 0 ? { problems } : { value: value as T };
