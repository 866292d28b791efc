/** Tools that deploy. */
import { Type } from "typebox";
import { descriptorOf, descriptorSource } from "./descriptors.ts";
import { environment, unitId } from "./inputs.ts";
import { platformTool, urlPath, type Caller } from "./tool.ts";

const request = {
  ...descriptorSource,
  environment,
  targetStatus: Type.Optional(
    Type.Array(
      Type.Object({
        componentId: Type.String({ minLength: 1, maxLength: 512 }),
        targetStatus: Type.Enum(["DEPLOYED", "NOT_DEPLOYED"]),
      }),
      { maxItems: 5_000, description: "What is wanted of each component. Left out: all are deployed." },
    ),
  ),
  removeData: Type.Boolean({
    default: false,
    description: "Whether the data of components that are undeployed is deleted too.",
  }),
  confirmDataRemoval: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
      maxItems: 5_000,
      description: "Components whose protected data the user has agreed to lose.",
    }),
  ),
  preventRedeploy: Type.Boolean({
    default: false,
    description: "Whether components that are deployed as described already are left alone.",
  }),
};

const planHash = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 128,
    description: "Of the preview; when the plan would be another one by now, nothing is started.",
  }),
);

interface Wanted {
  systemRef?: string;
  descriptor?: object;
  environment: string;
  targetStatus?: { componentId: string; targetStatus: string }[];
  [other: string]: unknown;
}

/** The path of the unit and the body of a preview or a start. */
async function requestOf(caller: Caller, wanted: Wanted) {
  const { systemRef, descriptor: given, environment: target, targetStatus, ...rest } = wanted;
  const descriptor = await descriptorOf(caller, { systemRef, descriptor: given, environment: target });
  const components = Array.isArray(descriptor["components"]) ? descriptor["components"] : [];
  const all = components.map(({ id }) => ({ componentId: String(id), targetStatus: "DEPLOYED" }));
  const unit = String(descriptor["id"] ?? "");
  return {
    unit,
    path: urlPath`/api/coordinator/v2/deployment-units/${unit}/provisioning`,
    query: { environment: target },
    body: { descriptor, targetStatus: targetStatus ?? all, ...rest },
  };
}

export const previewProvisioning = platformTool({
  name: "preview_provisioning",
  title: "Preview a deployment",
  description:
    "Says what a deployment would do to each component, and why. Changes nothing. Pass the planHash of the answer to " +
    "start_provisioning, so that exactly what was previewed is started.",
  readOnly: true,
  input: Type.Object(request),
  async run(caller, input) {
    const { unit, path, query, body } = await requestOf(caller, input);
    const { value } = await caller.post(`${path}/preview`, { query, body });
    return { deploymentUnitId: unit, environment: input.environment, ...value };
  },
});

export const startProvisioning = platformTool({
  name: "start_provisioning",
  title: "Start a deployment",
  description:
    "Starts a deployment: it changes infrastructure, and removes components and data if it was asked to. Preview first. " +
    "Answers the token of the execution plan at once; follow it with get_plan. Within one request, the same start is " +
    "made once.",
  readOnly: false,
  needs: "startProvisioning",
  input: Type.Object({
    ...request,
    planHash,
  }),
  async run(caller, input) {
    const { unit, path, query, body } = await requestOf(caller, input);
    const headers = { "idempotency-key": caller.repeatKey(input) };
    const { value } = await caller.post(path, { query, body, headers });
    return { planToken: value as string, deploymentUnitId: unit, next: "Follow it with get_plan." };
  },
});

const rollback = {
  deploymentUnitId: unitId,
  environment,
  operationId: Type.String({
    minLength: 1,
    maxLength: 512,
    description: "Id of an earlier operation that SUCCEEDED there, as list_operations shows it.",
  }),
  removeData: request.removeData,
  confirmDataRemoval: request.confirmDataRemoval,
};

export const previewRollback = platformTool({
  name: "preview_rollback",
  title: "Preview a rollback",
  description:
    "Says what it would do to each component to bring a deployment unit back to the state after an earlier operation. Changes " +
    "nothing. Pass the planHash of the answer to roll_back.",
  readOnly: true,
  input: Type.Object(rollback),
  async run(caller, { deploymentUnitId, environment: target, ...body }) {
    const path = urlPath`/api/coordinator/v2/deployment-units/${deploymentUnitId}/provisioning/rollback/preview`;
    const { value } = await caller.post(path, { query: { environment: target }, body });
    return { deploymentUnitId, environment: target, ...value };
  },
});

export const rollBack = platformTool({
  name: "roll_back",
  title: "Roll a deployment back",
  description:
    "Undoes a deployment: starts the unit with the descriptor and the statuses of an earlier successful operation. It changes " +
    "infrastructure. Preview first. Answers the token of the execution plan; follow it with get_plan.",
  readOnly: false,
  needs: "rollBack",
  input: Type.Object({ ...rollback, planHash }),
  async run(caller, input) {
    const { deploymentUnitId, environment: target, ...body } = input;
    const path = urlPath`/api/coordinator/v2/deployment-units/${deploymentUnitId}/provisioning/rollback`;
    const headers = { "idempotency-key": caller.repeatKey(input) };
    const { value } = await caller.post(path, { query: { environment: target }, body, headers });
    return { planToken: value as string, deploymentUnitId, next: "Follow it with get_plan." };
  },
});

export const terminateProvisioning = platformTool({
  name: "terminate_provisioning",
  title: "Stop a deployment",
  description:
    "Stops what is under way on a deployment unit in an environment. What was deployed already stays.",
  readOnly: false,
  needs: "terminateUnitProvisioning",
  input: Type.Object({
    deploymentUnitId: unitId,
    environment,
    mode: Type.Enum(["safe", "forced"], {
      default: "safe",
      description: "safe lets running tasks end; forced also asks the adapters to stop them.",
    }),
  }),
  async run(caller, { deploymentUnitId, ...query }) {
    const path = urlPath`/api/coordinator/v2/deployment-units/${deploymentUnitId}/provisioning/terminate`;
    await caller.post(path, { query });
    return { accepted: true, next: "Follow the plan with get_plan; the unit with get_unit_status." };
  },
});

export const getUnitStatus = platformTool({
  name: "get_unit_status",
  title: "Status of a deployment unit",
  description: "Says whether a deployment unit is deployed in an environment, and each of its components.",
  readOnly: true,
  input: Type.Object({
    deploymentUnitId: unitId,
    environment,
    includeDescriptor: Type.Boolean({
      default: false,
      description: "Whether the deployed descriptor is shown.",
    }),
  }),
  async run(caller, { deploymentUnitId, environment: target, includeDescriptor }) {
    const path = urlPath`/api/coordinator/v1/deployment-units/${deploymentUnitId}/provisioning-status`;
    const query = { environment: target, "include-descriptor": includeDescriptor };
    return (await caller.get(path, query)).value;
  },
});
