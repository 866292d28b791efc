/** Checks of skills, agents and external agents that come from files. */
import { Type, type Static } from "typebox";
import { asInput, createChecker } from "../../../platform/http/input/check-input.ts";
import type { InputProblem } from "../../../platform/http/operation.ts";
import { agentBody } from "../../agents/schema.ts";
import { externalAgentBody, type ExternalAgentBody } from "../../agents/external/schema.ts";
import { mcpToolRefs, uuid } from "../../record-schema.ts";
import { skillBody } from "../skill-schema.ts";
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

const more = Type.Object({
  id: Type.Optional(uuid("Identifies the record; without it the name does.")),
  agents: Type.Optional(keys),
});
/** Metadata of a file besides the record. */
export type More = Static<typeof more>;

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
