/** Wire shapes that several kinds of records share, and the small functions that go with them. */
import { Type, type Static } from "typebox";

export const uuid = (description?: string) =>
  Type.String({ format: "uuid", ...(description === undefined ? {} : { description }) });

/** A UUID as the database writes it; the format also allows `urn:uuid:` before it. */
export const plainUuid = (text: string): string => text.toLowerCase().replace(/^urn:uuid:/, "");

/** A text with at least one character that is seen. The pattern lets an empty one pass: its length refuses that already. */
export const visibleText = (options: { maxLength: number; description?: string }) =>
  Type.String({ minLength: 1, pattern: "^$|\\S", ...options });

export const mcpToolRef = Type.Object({
  server: Type.String({ minLength: 1, maxLength: 255 }),
  name: Type.String({ minLength: 1, maxLength: 255 }),
});
export type McpToolRef = Static<typeof mcpToolRef>;

/** The limit of tools of one skill or agent, and of one request. */
export const maxTools = 1_000;
const maxIds = 1_000;

export const mcpToolRefs = (options: { minItems?: number } = {}) =>
  Type.Array(mcpToolRef, { maxItems: maxTools, ...options });

export const uuids = (options: { minItems?: number } = {}) =>
  Type.Array(uuid(), { maxItems: maxIds, ...options });

export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
};

export const searchQuery = {
  search: Type.Optional(
    Type.String({ description: "Part of the name, the description and the like, in any case." }),
  ),
};

export const sortOrder = { "sort-order": Type.Enum(["asc", "desc"], { default: "asc" }) };

export const pagination = Type.Object({
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
});

export const timestamps = { created_at: Type.String(), updated_at: Type.String() };

export interface Page {
  limit: number;
  offset: number;
}

/** The pattern of `ilike` that finds a text anywhere; null when there is nothing to search for. */
export const likePattern = (search: string | undefined): string | null =>
  search === undefined || search === "" ? null : `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;

/** A key that is unique for each tool; neither part holds the separator. */
export const toolKey = ({ server, name }: McpToolRef): string => `${server}\0${name}`;

/** Each tool once, in the order of the first mention, with server and name only. */
export const distinctTools = (tools: readonly McpToolRef[]): McpToolRef[] => [
  ...new Map(tools.map(({ server, name }) => [toolKey({ server, name }), { server, name }])).values(),
];

/** The id of a tool on the wire. */
export const toolId = ({ server, name }: McpToolRef): string => `${server}:${name}`;
