/** What skills and agents in files have to be like. */
import { Type } from "typebox";
import { createChecker } from "../../platform/http/input.ts";
import type { InputProblem } from "../../platform/http/operation.ts";
import { agentBody } from "../agents/schema.ts";
import { mcpToolRefs } from "../record-schema.ts";
import { skillBody } from "../skills/schema.ts";
import type { PortableAgent, PortableSkill } from "./portable.ts";

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

export type Checked<T> = { value: T } | { problems: InputProblem[] };

export const readSkill = (candidate: unknown): Checked<PortableSkill> =>
  checked(checkSkill(candidate), candidate);

export const readAgent = (candidate: unknown): Checked<PortableAgent> =>
  checked(checkAgent(candidate), candidate);

const checked = <T>(problems: InputProblem[], value: unknown): Checked<T> =>
  problems.length > 0 ? { problems } : { value: value as T };
