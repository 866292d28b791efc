/** All tools of the platform: lists them and calls one. */
import { createChecker, asInput, type Check } from "../../platform/http/input/check-input.ts";
import { refusalOf } from "../../platform/auth/policy.ts";
import type { Actor } from "../../platform/lib/actor.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import type { PlatformClient } from "../ports.ts";
import type { ToolDefinition, ToolResult } from "./tool-source.ts";
import { decideApproval, listAccessRequests, requestAccess } from "./platform/access.ts";
import {
  getTechAdapter,
  listTechAdapters,
  getEntity,
  searchCatalogue,
  searchKnowledge,
} from "./platform/catalogue.ts";
import { buildDescriptor, validateDescriptor } from "./platform/descriptors.ts";
import * as governance from "./platform/governance.ts";
import {
  checkDrift,
  getPlan,
  getPlanLogs,
  listDriftChecks,
  listOperations,
  resumePlan,
} from "./platform/plans.ts";
import {
  getUnitStatus,
  previewProvisioning,
  previewRollback,
  rollBack,
  startProvisioning,
  terminateProvisioning,
} from "./platform/provisioning.ts";
import { getInstantiation, getTemplate, instantiateTemplate, searchTemplates } from "./platform/templates.ts";
import { listEnvironments, listWaiting, whoAmI } from "./platform/user.ts";
import { createCaller, failureText, type PlatformTool } from "./platform/tool.ts";

/** The name of the server that offers them. */
export const platformServer = "platform";

export const tools: readonly PlatformTool[] = [
  searchKnowledge,
  searchTemplates,
  getTemplate,
  instantiateTemplate,
  getInstantiation,
  searchCatalogue,
  getEntity,
  buildDescriptor,
  validateDescriptor,
  previewProvisioning,
  startProvisioning,
  terminateProvisioning,
  previewRollback,
  rollBack,
  getUnitStatus,
  getPlan,
  getPlanLogs,
  listOperations,
  resumePlan,
  checkDrift,
  listDriftChecks,
  listTechAdapters,
  getTechAdapter,
  listAccessRequests,
  requestAccess,
  decideApproval,
  governance.listPolicies,
  governance.getPolicy,
  governance.listPolicyVersions,
  governance.createPolicy,
  governance.setPolicyStatus,
  governance.testPolicy,
  governance.tryPolicy,
  governance.getEvaluationReport,
  governance.getCompliance,
  governance.whoMay,
  governance.listPolicyResults,
  governance.listExceptions,
  governance.requestException,
  governance.decideException,
  whoAmI,
  listEnvironments,
  listWaiting,
];

export interface ListedTool extends ToolDefinition {
  title: string;
}

interface CallOptions {
  ctx: RequestContext;
  name: string;
  arguments: Record<string, unknown>;
  signal: AbortSignal;
}

export interface PlatformTools {
  list(): readonly ListedTool[];
  /** Null when there is no such tool. Rejects when the platform can't be called. */
  call(options: CallOptions): Promise<ToolResult | null>;
  /** Why the actor's roles don't allow the call; null when they do. */
  refusal(actor: Actor, name: string): string | null;
}

export function createPlatformTools(client: PlatformClient): PlatformTools {
  const checker = createChecker();
  const checks = new Map<string, Check>();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = tools.map(({ name, title, description, input, readOnly }) => ({
    server: platformServer,
    name,
    title,
    description,
    inputSchema: JSON.parse(JSON.stringify(asInput(input))) as object,
    destructive: !readOnly,
  }));
  const checkOf = ({ name, input }: PlatformTool): Check => {
    const known = checks.get(name);
    if (known !== undefined) return known;
    const made = checker.compile("body", input);
    checks.set(name, made);
    return made;
  };
  return {
    list: () => listed,
    refusal(actor, name) {
      const needs = byName.get(name)?.needs;
      const refusal = needs === undefined ? null : refusalOf(actor, needs);
      return refusal && `the user may not call ${name}: ${refusal.message}`;
    },
    async call({ ctx, name, arguments: given, signal }) {
      const tool = byName.get(name);
      if (tool === undefined) return null;
      const input = structuredClone(given);
      const problems = checkOf(tool)(input);
      if (problems.length > 0) {
        const said = problems.slice(0, 20).map(({ where, message }) => `${where}: ${message}`);
        return { text: `The arguments of ${name} are not valid: ${said.join(" ")}`, isError: true };
      }
      try {
        const value = await tool.run(createCaller({ client, ctx, signal }, name), input);
        return { text: fitToLimit(value, narrowingAdvice(tool)), isError: false };
      } catch (error) {
        const text = failureText(error);
        if (text === undefined) throw error;
        return { text, isError: true };
      }
    },
  };
}

/** Advice on how to get what was left out of a result. */
function narrowingAdvice({ input }: PlatformTool): string {
  const { offset, limit, after } = input.properties as Record<string, unknown>;
  if (limit === undefined) return "Ask for something narrower.";
  return `Ask with a smaller limit${offset === undefined && after === undefined ? "" : " and go on from there"}.`;
}

/** Longest result of a tool that a model gets, in characters. */
export const longestAnswer = 40_000;

/**
 * The value as JSON of at most `limit` characters. Of a longer value long lists are shortened, with a note of how much is left
 * out; if that is not enough, the text is cut, and a note says so.
 */
export function fitToLimit(value: unknown, advice: string, limit = longestAnswer): string {
  const whole = JSON.stringify(value) ?? "null";
  if (whole.length <= limit) return whole;
  for (let maxListItems = 64; maxListItems >= 4; maxListItems = Math.floor(maxListItems / 2)) {
    const shorter = JSON.stringify({
      note: `Long lists are cut. ${advice}`,
      answer: withShortLists(value, maxListItems),
    });
    if (shorter.length <= limit) return shorter;
  }
  const note = `\n… (cut: ${whole.length} characters. ${advice})`;
  return whole.slice(0, limit - note.length) + note;
}

function withShortLists(value: unknown, maxListItems: number): unknown {
  if (Array.isArray(value)) {
    const shown = value.slice(0, maxListItems).map((item) => withShortLists(item, maxListItems));
    return value.length > maxListItems ? [...shown, `… ${value.length - maxListItems} more`] : shown;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withShortLists(item, maxListItems)]),
  );
}
