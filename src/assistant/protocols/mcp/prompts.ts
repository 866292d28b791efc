/** The prompts of the platform's MCP server: the shipped skills, and questions that people ask every day. */
import { isAllowed, type PolicyId } from "../../../platform/auth/policy.ts";
import type { Actor } from "../../../platform/lib/actor.ts";

export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: PromptArgument[];
  /** The text of the message, with the values that were given. */
  text(values: Record<string, string>): string;
  /** Shown to callers who may do this. */
  rule: PolicyId;
}

interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
}

/** What a prompt needs of a skill. */
export interface PromptedSkill {
  key: string;
  name: string;
  description: string;
  content: string;
}

const needed = (name: string, description: string): PromptArgument => ({ name, description, required: true });

const system = needed("system", "Reference of the system, such as system:default/orders.");
const environment = needed("environment", "Environment, such as development.");

const questions: readonly Prompt[] = [
  {
    name: "explain-plan",
    title: "Why did this plan fail?",
    description: "Reads a plan and its logs, and says what failed first, why, and what to change.",
    arguments: [needed("plan", "Id of the plan, the token of the deployment.")],
    text: ({ plan }) =>
      `Read the plan ${quoted(plan)} with get_plan and get_plan_logs. Say how it ended, which task failed first and why, which ` +
      "tasks were not begun because of it, and what to change before the next start. Do not start anything.",
    rule: "getPlan",
  },
  {
    name: "state-of-system",
    title: "What is deployed?",
    description: "Says what of a system is deployed in an environment, and what came of its last operations.",
    arguments: [system, environment],
    text: ({ system: ref, environment: where }) =>
      `Find the system ${quoted(ref)} with get_entity, then its state in ${quoted(where)} with get_unit_status and its last ` +
      "operations with list_operations. List its components with their state, and name what is not as it should be.",
    rule: "getUnitStatus",
  },
  {
    name: "deploy-system",
    title: "Deploy a system",
    description: "Checks, previews and, once you agree, deploys a system in an environment.",
    arguments: [system, environment],
    text: ({ system: ref, environment: where }) =>
      `Deploy the system ${quoted(ref)} in ${quoted(where)}. Preview it with preview_provisioning and show me what would ` +
      "change. Wait until I agree before start_provisioning, then follow the plan with get_plan until it has ended.",
    rule: "startProvisioning",
  },
];

/** What a caller needs to do what a skill is about; whoever may connect may use the others. */
const rulesOfSkills: Readonly<Record<string, PolicyId>> = {
  "build-descriptor": "buildDescriptor",
  "deploy-and-follow": "startProvisioning",
  "preview-deployment": "previewProvisioning",
  "request-access": "requestAccess",
  "review-readiness": "validateDescriptor",
  "start-from-template": "instantiateTemplate",
};

export function promptsOf(skills: readonly PromptedSkill[]): Prompt[] {
  const ofSkills = skills.map(({ key, name, description, content }): Prompt => ({
    name: key,
    title: name,
    description,
    arguments: [{ name: "request", description: "What you want done with it.", required: false }],
    text: ({ request }) => (request === undefined ? content : `${content}\n\nMy request: ${request}`),
    rule: rulesOfSkills[key] ?? "useMcpServer",
  }));
  return [...questions, ...ofSkills];
}

export const promptsFor = (actor: Actor, prompts: readonly Prompt[]): Prompt[] =>
  prompts.filter(({ rule }) => isAllowed(actor, rule));

const maxValueChars = 4_000;

/** The filled-in text, or what is wrong with the values, all of it. */
export function fillPrompt(
  prompt: Prompt,
  values: Record<string, string>,
): { text: string } | { problems: string[] } {
  const known = new Set(prompt.arguments.map(({ name }) => name));
  const problems = [
    ...prompt.arguments
      .filter(({ name, required }) => required && (values[name] ?? "").trim() === "")
      .map(({ name, description }) => `${name} is missing: ${description}`),
    ...Object.keys(values)
      .filter((name) => !known.has(name))
      .map((name) => `There is no argument ${quoted(name.slice(0, 100))}.`),
    ...Object.entries(values)
      .filter(([, value]) => value.length > maxValueChars)
      .map(([name]) => `${name.slice(0, 100)} is longer than ${maxValueChars} characters.`),
  ];
  return problems.length > 0 ? { problems } : { text: prompt.text(values) };
}

const quoted = (value = ""): string => JSON.stringify(value);
