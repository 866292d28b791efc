/** Pure: what a tool answered, as the text that a model gets. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { ToolResult } from "../tools/tool-source.ts";

const longestText = 200_000;

export function resultText({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const parts = content.map(partText).filter((text) => text !== "");
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  const text = parts.join("\n\n");
  const shown =
    text.length <= longestText ? text : `${text.slice(0, longestText)}… (cut: ${text.length} characters)`;
  return { text: shown, isError: isError === true };
}

function partText(part: CallToolResult["content"][number]): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "resource":
      return "text" in part.resource ? part.resource.text : `(a file: ${part.resource.uri})`;
    case "resource_link":
      return `(a link: ${part.name} ${part.uri})`;
    case "image":
    case "audio":
      return `(${part.type}, ${part.mimeType}, which can't be shown)`;
    default:
      return "(something that can't be shown)";
  }
}
