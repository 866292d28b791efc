/** The tools of the platform as a whole: what there is, and one call of one of them. */
import { createChecker, asInput, type Check } from "../../platform/http/input.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import type { PlatformClient } from "../ports.ts";
import type { ToolDefinition, ToolResult } from "../tools/tool-source.ts";
import { listAccessRequests, requestAccess } from "./access.ts";
import { getTechAdapter, listTechAdapters } from "./adapters.ts";
import { getEntity, searchCatalogue } from "./catalogue.ts";
import { buildDescriptor, validateDescriptor } from "./descriptors.ts";
import { fitToLimit } from "./fit.ts";
import { searchKnowledge } from "./knowledge.ts";
import { getPlan, getPlanLogs, listOperations } from "./plans.ts";
import {
  getUnitStatus,
  previewProvisioning,
  startProvisioning,
  terminateProvisioning,
} from "./provisioning.ts";
import { getInstantiation, getTemplate, instantiateTemplate, searchTemplates } from "./templates.ts";
import { createCaller, failureText, type PlatformTool } from "./tool.ts";

/** The name of the server that offers them. */
export const platformServer = "platform";

const tools: readonly PlatformTool[] = [
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
  getUnitStatus,
  getPlan,
  getPlanLogs,
  listOperations,
  listTechAdapters,
  getTechAdapter,
  listAccessRequests,
  requestAccess,
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
  /** Null when there is no such tool. Rejects when the platform can't be asked. */
  call(options: CallOptions): Promise<ToolResult | null>;
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

/** How to see what an answer had no room for. */
function narrowingAdvice({ input }: PlatformTool): string {
  const { offset, limit, after } = input.properties as Record<string, unknown>;
  if (limit === undefined) return "Ask for something narrower.";
  return `Ask with a smaller limit${offset === undefined && after === undefined ? "" : " and go on from there"}.`;
}
