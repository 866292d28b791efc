/** Pure: the fingerprint of a tool's description, and which tools of a listing are accepted. */
import { createHash } from "node:crypto";
import { canonicalJson } from "../../../platform/lib/canonical-json.ts";

/** A tool as its server describes it. */
export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: object;
  annotations: object;
}

/** Covers all that a model or an approver relies on; the order of keys does not count. */
export const fingerprint = ({ name, description, inputSchema, annotations }: OfferedTool): string =>
  createHash("sha256")
    .update(canonicalJson([name, description, inputSchema, annotations]))
    .digest("base64url");

const maxTools = 1_000;
const longestName = 128;
const longestTool = 100_000;

/** The tools that are accepted, and a sentence about each of the others. */
export function acceptTools(tools: readonly OfferedTool[]): { accepted: OfferedTool[]; dropped: string[] } {
  const accepted = new Map<string, OfferedTool>();
  const dropped: string[] = [];
  for (const tool of tools) {
    const why = accepted.size >= maxTools ? `there are more than ${maxTools}` : rejection(tool, accepted);
    if (why === null) accepted.set(tool.name, tool);
    else if (dropped.length < 20) dropped.push(`${JSON.stringify(tool.name.slice(0, 60))}: ${why}`);
  }
  return { accepted: [...accepted.values()], dropped };
}

function rejection(tool: OfferedTool, accepted: ReadonlyMap<string, OfferedTool>): string | null {
  if (accepted.has(tool.name)) return "the name is there twice";
  if (!/^[\x21-\x7e]+$/.test(tool.name)) return "the name has other characters than printable ASCII";
  if (tool.name.length > longestName) return `the name is longer than ${longestName} characters`;
  const text = canonicalJson(tool);
  if (text.length > longestTool) return `it takes more than ${longestTool} characters to describe`;
  // PostgreSQL can't store NUL in a text.
  return text.includes(String.raw`\u0000`) ? "it holds the character NUL" : null;
}

/** Whether a call can be repeated: only where the server says so. */
export const isReadOnly = (annotations: object): boolean => Reflect.get(annotations, "readOnlyHint") === true;

/** Whether users are asked before a call: by the protocol's defaults a tool without hints is destructive. */
export const isDestructive = (annotations: object): boolean => {
  const { readOnlyHint, destructiveHint } = annotations as Record<string, unknown>;
  return readOnlyHint !== true && destructiveHint !== false;
};
