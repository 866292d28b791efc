/** Pure: lists of tools as skills and agents name them. */
import type { McpToolRef } from "./record-schema.ts";

/** What tells one tool from another; neither part holds the separator. */
export const toolKey = ({ server, name }: McpToolRef): string => `${server}\0${name}`;

/** Each tool once, in the order of their first mention, and nothing but what names them. */
export const distinctTools = (tools: readonly McpToolRef[]): McpToolRef[] => [
  ...new Map(tools.map(({ server, name }) => [toolKey({ server, name }), { server, name }])).values(),
];

/** The id of a tool on the wire. */
export const toolId = ({ server, name }: McpToolRef): string => `${server}:${name}`;
