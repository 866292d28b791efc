/** The request of `plan` and `provision`: a descriptor, and the target status of each component. */
import { Option, type Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import type { ProvisioningPlan } from "../client/wire.ts";
import { startOnce } from "../client/start-once.ts";
import { inputFailure } from "../exit-codes.ts";
import type { GivenDescriptor } from "../descriptor-file.ts";
import { collect } from "../options.ts";

export interface TargetOptions {
  environment?: string;
  component?: string[];
  undeploy?: boolean;
  preventRedeploy?: boolean;
  removeData?: boolean;
  confirmDataRemoval?: string[];
}

export const withTargets = (command: Command): Command =>
  command
    .addOption(new Option("-e, --environment <name>", "environment (default: the descriptor's)"))
    .option(
      "--component <id>",
      "only this component and what it needs; the end of its id will do; repeatable",
      collect,
    )
    .option("--undeploy", "undeploy instead of deploying")
    .option("--prevent-redeploy", "leave what is deployed and has not changed as it is")
    .option("--remove-data", "let undeployments remove data too")
    .option("--confirm-data-removal <id>", "a protected component whose data may go; repeatable", collect);

export interface ProvisioningRequest {
  unitId: string;
  environment: string;
  /** True when components without a target keep their status. */
  isPartial: boolean;
  body: {
    descriptor: Record<string, unknown>;
    targetStatus: { componentId: string; targetStatus: string; action?: string }[];
    removeData: boolean;
    preventRedeploy: boolean;
    confirmDataRemoval?: string[];
  };
}

export function requestOf(descriptor: GivenDescriptor, options: TargetOptions): ProvisioningRequest {
  const environment = options.environment ?? descriptor.environment;
  if (environment === undefined || environment === "") {
    throw inputFailure("The descriptor names no environment.", {
      solutions: ["Name one with --environment."],
    });
  }
  const isPartial = options.component !== undefined;
  const ids =
    options.component?.map((given) => resolveComponent(descriptor, given)) ?? descriptor.componentIds;
  const targetStatus = options.undeploy ? "NOT_DEPLOYED" : "DEPLOYED";
  return {
    unitId: descriptor.id,
    environment,
    isPartial,
    body: {
      descriptor: descriptor.value,
      targetStatus: [...new Set(ids)].map((componentId) => ({ componentId, targetStatus })),
      removeData: options.removeData ?? false,
      preventRedeploy: options.preventRedeploy ?? false,
      ...(options.confirmDataRemoval && {
        confirmDataRemoval: options.confirmDataRemoval.map((given) => resolveComponent(descriptor, given)),
      }),
    },
  };
}

/** A whole id, or its last part when only one component has it. An unknown id may be a removed component. */
function resolveComponent({ componentIds }: GivenDescriptor, given: string): string {
  if (componentIds.includes(given)) return given;
  const ending = componentIds.filter((id) => id.endsWith(`:${given}`) || id.endsWith(`.${given}`));
  if (ending.length > 1) {
    throw inputFailure(`${given} may be ${ending.join(" or ")}.`, { where: "--component" });
  }
  return ending[0] ?? given;
}

export const provisioningPath = (unitId: string): string =>
  `/api/coordinator/v2/deployment-units/${encodeURIComponent(unitId)}/provisioning`;

export async function previewPlan(server: Server, request: ProvisioningRequest): Promise<ProvisioningPlan> {
  const { body } = await callServer<ProvisioningPlan>(server, {
    method: "POST",
    path: `${provisioningPath(request.unitId)}/preview`,
    query: { environment: request.environment, "autofill-target-status": request.isPartial },
    body: request.body,
  });
  return body;
}

/** Starts the previewed plan and returns the token of its execution plan. */
export async function startPlan(
  server: Server,
  request: ProvisioningRequest & { queue?: boolean; whenClosed?: Record<string, string> },
  plan: ProvisioningPlan,
): Promise<string> {
  const operations = plan.operations.map(({ componentId, targetStatus, action }) => ({
    componentId,
    targetStatus,
    action,
  }));
  const { body } = await startOnce<string>(server, {
    method: "POST",
    path: provisioningPath(request.unitId),
    query: { environment: request.environment, ...(request.queue && { queue: true }), ...request.whenClosed },
    // Includes what autofill added; otherwise the request is the previewed one.
    body: request.isPartial ? { ...request.body, targetStatus: operations } : request.body,
  });
  return body;
}
