/** Wire shapes of skills. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";
import {
  mcpToolRef,
  mcpToolRefs,
  pageQuery,
  pagination,
  searchQuery,
  sortOrder,
  timestamps,
  uuid,
  visibleText,
} from "../record-schema.ts";

const name = visibleText({ maxLength: 255 });
const description = { maxLength: 20_000 };
const content = Type.String({
  minLength: 1,
  maxLength: 500_000,
  description: "Markdown; a model reads it once it needs the skill.",
});

export const skillBody = Type.Object({
  name,
  description: Type.String({ ...description, default: "" }),
  content,
  mcp_tools: Type.Optional(mcpToolRefs()),
});
export type SkillBody = Static<typeof skillBody>;

export const skillPatch = Type.Object({
  name: Type.Optional(Nullable(name)),
  description: Type.Optional(Nullable(Type.String(description))),
  content: Type.Optional(Nullable(content)),
  mcp_tools: Type.Optional(Nullable(mcpToolRefs())),
});
export type SkillPatch = Static<typeof skillPatch>;

const commonFields = {
  id: uuid(),
  platform_key: Type.String({ description: "Empty unless the skill is shipped with the product." }),
  name: Type.String(),
  description: Type.String(),
  is_platform_provided: Type.Boolean(),
  agent_count: Type.Integer({ description: "Agents that have it." }),
};

export const skill = Type.Object({
  ...commonFields,
  content: Type.String(),
  mcp_tools: Type.Array(mcpToolRef),
  ...timestamps,
});
export type Skill = Static<typeof skill>;

export const skillItem = Type.Object({ ...commonFields, tool_count: Type.Integer(), ...timestamps });
export type SkillItem = Static<typeof skillItem>;

export const skillList = Type.Object({ data: Type.Array(skillItem), meta: Type.Object({ pagination }) });
export type SkillList = Static<typeof skillList>;

export const skillSorts = ["name", "description", "type", "agent_count", "tool_count"] as const;
export type SkillSort = (typeof skillSorts)[number];

export const skillQuery = Type.Object({
  ...searchQuery,
  is_platform_provided: Type.Optional(Type.Boolean()),
  ids: Type.Optional(Type.Array(Type.String(), { description: "Only these." })),
  "sort-by": Type.Enum([...skillSorts], { default: "name" }),
  ...sortOrder,
  ...pageQuery,
});

export const skillParams = Type.Object({ skill_id: uuid() });
