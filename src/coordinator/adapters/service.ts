/** The catalogue of tech adapters and their deployments. */
import { inTransaction } from "../../platform/db/database.ts";
import type { Failure, Problem } from "../../platform/errors/failure.ts";
import { coordinatorFailure } from "../errors.ts";
import { writeAudit, type CoordinatorContext } from "../context.ts";
import { environmentProblems, requireEnvironment } from "../environments.ts";
import {
  maxAdapters,
  type DeploymentBody,
  type DeploymentResponse,
  type TechAdapterBody,
  type TechAdapterResponse,
} from "./schema.ts";
import { registerGuardians } from "./guardians.ts";
import {
  deleteAdapter,
  deleteDeployment,
  findUsers,
  holdStarts,
  insertAdapter,
  listAdapters,
  readAdapter,
  readDeployment,
  upsertAdapter,
  upsertDeployment,
  type AdapterListQuery,
  type AdapterUser,
  type AdapterUsers,
  type AdapterRow,
  type DeploymentRow,
} from "./store.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export async function createTechAdapter(
  ctx: CoordinatorContext,
  body: TechAdapterBody,
): Promise<TechAdapterResponse> {
  refuseInvalid([...checkId(body.id), ...checkVersion(body)]);
  const adapter = { ...body, description: body.description ?? null, labels: [...new Set(body.labels)] };
  return inTransaction(ctx.coordinator.database, async (tx) => {
    if (!(await insertAdapter(tx, adapter))) {
      const message = `A tech adapter with the id ${body.id} exists already.`;
      const solution = "Choose another id, or put a deployment for the one that exists.";
      throw coordinatorFailure("COORD_ADAPTER_EXISTS", { message, where: "/id", solution, input: body.id });
    }
    await writeAudit(tx, ctx, { operation: "createTechAdapter", subject: `adapter:${body.id}` });
    return adapterView({ ...adapter, environments: [] });
  });
}

export async function listTechAdapters(ctx: CoordinatorContext, query: AdapterListQuery) {
  const limit = Math.min(query.limit, maxAdapters);
  const { rows, total } = await listAdapters(ctx.coordinator.database.db, { ...query, limit });
  return { data: rows.map(adapterView), meta: { pagination: { offset: query.offset, limit, total } } };
}

export async function getTechAdapter(ctx: CoordinatorContext, id: string): Promise<TechAdapterResponse> {
  const row = await readAdapter(ctx.coordinator.database.db, id);
  if (!row) throw unknownAdapter(id);
  return adapterView(row);
}

/** Refused while components are deployed with it, or are about to be: nothing could undeploy them any more. */
export async function deleteTechAdapter(ctx: CoordinatorContext, id: string): Promise<void> {
  await inTransaction(ctx.coordinator.database, async (tx) => {
    await holdStarts(tx);
    refuseInUse(id, await findUsers(tx, id, null));
    if (!(await deleteAdapter(tx, id))) throw unknownAdapter(id);
    await writeAudit(tx, ctx, { operation: "deleteTechAdapter", subject: `adapter:${id}` });
  });
}

export interface DeploymentAt {
  id: string;
  environment: string;
}

export async function putDeployment(
  ctx: CoordinatorContext,
  at: DeploymentAt,
  body: DeploymentBody,
): Promise<DeploymentResponse> {
  const unsound = checkUrl(ctx, body.url);
  if (unsound.length === 0) requireEnvironment(ctx, at.environment);
  else refuseInvalid([...environmentProblems(ctx, at.environment), ...unsound]);
  const put = await inTransaction(ctx.coordinator.database, async (tx) => {
    const { id: adapterId, environment } = at;
    const { url, enabled, properties = {} } = body;
    const row = await upsertDeployment(tx, { adapterId, environment, url, enabled, properties });
    if (!row) throw unknownAdapter(at.id);
    await writeAudit(tx, ctx, {
      operation: "upsertAdapterDeployment",
      subject: `adapter:${at.id}@${at.environment}`,
      detail: { url, enabled },
    });
    return deploymentView(row);
  });
  await tellGovernance(ctx);
  return put;
}

/** What can't be done now is done by the next round of the job. */
async function tellGovernance(ctx: CoordinatorContext): Promise<void> {
  const { guardians, database } = ctx.coordinator;
  if (guardians === undefined) return;
  await registerGuardians(ctx, database.db, guardians).catch((error: Error) => {
    ctx.log.warn({ reason: error.message }, "policies of adapters could not be registered yet");
  });
}

export async function getDeployment(ctx: CoordinatorContext, at: DeploymentAt): Promise<DeploymentResponse> {
  const row = await readDeployment(ctx.coordinator.database.db, at.id, at.environment);
  if (!row) throw await missingDeployment(ctx, at);
  return deploymentView(row);
}

export async function removeDeployment(ctx: CoordinatorContext, at: DeploymentAt): Promise<void> {
  await inTransaction(ctx.coordinator.database, async (tx) => {
    await holdStarts(tx);
    refuseInUse(at.id, await findUsers(tx, at.id, at.environment));
    if (!(await deleteDeployment(tx, at.id, at.environment))) throw await missingDeployment(ctx, at);
    const subject = `adapter:${at.id}@${at.environment}`;
    await writeAudit(tx, ctx, { operation: "deleteAdapterDeployment", subject });
  });
}

export interface Registration {
  id: string;
  name: string;
  description: string;
  version: string;
  url: string;
  environment: string;
  properties: Record<string, unknown>;
}

/** The builder's registration: creates or updates the adapter and its deployment together. */
export async function registerTechAdapter(
  ctx: CoordinatorContext,
  registration: Registration,
): Promise<void> {
  const { id, name, description, version, url, environment, properties } = registration;
  refuseInvalid([...checkId(id), ...checkUrl(ctx, url)]);
  await inTransaction(ctx.coordinator.database, async (tx) => {
    await upsertAdapter(tx, { id, name, description, version, labels: [] });
    await upsertDeployment(tx, { adapterId: id, environment, url, enabled: true, properties });
    await writeAudit(tx, ctx, {
      operation: "registerTechAdapter",
      subject: `adapter:${id}@${environment}`,
      detail: { url },
    });
  });
  await tellGovernance(ctx);
}

function refuseInUse(id: string, { users, total }: AdapterUsers): void {
  if (total === 0) return;
  const message = `The tech adapter ${id} is in use by ${total} component${total === 1 ? "" : "s"}.`;
  const problems = users.map(useProblem);
  const more = total - users.length;
  if (more > 0) problems.push({ where: "id", message: `${more} more ${more === 1 ? "is" : "are"}.` });
  throw coordinatorFailure("COORD_ADAPTER_IN_USE", { message, problems, input: id });
}

function useProblem({ id, planId }: AdapterUser): Problem {
  if (planId === null) return { where: "id", message: `${id} is deployed with it.` };
  return {
    where: "id",
    message: `${id} is being deployed with it (plan ${planId}).`,
    solution: "Wait for the end of the plan or terminate it, then undeploy what is deployed.",
  };
}

function unknownAdapter(id: string): Failure {
  const message = `There is no tech adapter with the id ${id}.`;
  return coordinatorFailure("COORD_ADAPTER_NOT_FOUND", {
    message,
    where: "id",
    solution: "List the tech adapters, or create it first.",
    input: id,
  });
}

export async function missingDeployment(
  ctx: CoordinatorContext,
  { id, environment }: DeploymentAt,
): Promise<Failure> {
  if (!(await readAdapter(ctx.coordinator.database.db, id))) return unknownAdapter(id);
  const message = `The tech adapter ${id} has no deployment in ${environment}.`;
  return coordinatorFailure("COORD_DEPLOYMENT_NOT_FOUND", {
    message,
    where: "environment",
    solution: "Put a deployment there first.",
    input: environment,
  });
}

/** Bytes of an adapter's id; together with the name it has to fit into an index entry of the database. */
const longestIdBytes = 1024;

export const checkId = (id: string): Problem[] =>
  Buffer.byteLength(id) <= longestIdBytes
    ? []
    : [
        {
          where: "/id",
          message: `The id has more than ${longestIdBytes} bytes.`,
          solution: "Choose a shorter id.",
        },
      ];

/** The last segment of an adapter's id, which is its version; the whole id when it has no segments. */
export const versionOf = (id: string): string => id.slice(id.lastIndexOf(":") + 1);

function checkVersion({ id, version }: TechAdapterBody): Problem[] {
  if (!id.includes(":") || version === versionOf(id)) return [];
  const message = `The version equals the last segment of the id, which is "${versionOf(id).slice(0, 100)}".`;
  return [
    { where: "/version", message, solution: "Give that version, or the id of the version that is meant." },
  ];
}

export function checkUrl(ctx: CoordinatorContext, url: string): Problem[] {
  const refused = ctx.coordinator.outbound.check(url);
  if (refused) return [{ ...refused, where: "/url" }];
  if (!/[?#]/.test(url)) return [];
  const solution = "Give the part of the address that comes before the adapter's own paths.";
  return [
    { where: "/url", message: "The url has a query or a fragment, so no path can follow it.", solution },
  ];
}

export function refuseInvalid(problems: Problem[]): void {
  if (problems.length === 0) return;
  throw coordinatorFailure("COORD_INVALID_ADAPTER", {
    message: "The tech adapter or its deployment is not valid.",
    problems,
  });
}

/** Rows of the catalogue in their wire shape. Pure, apart from types of rows. */
export const adapterView = (row: AdapterRow): TechAdapterResponse => ({
  id: row.id,
  version: row.version,
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  labels: row.labels,
  deployments: { environments: row.environments },
});

export const deploymentView = (row: DeploymentRow): DeploymentResponse => ({
  environment: row.environment,
  enabled: row.enabled,
  url: row.url,
  properties: propertiesView(row.properties ?? {}),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

type Properties = Record<string, unknown>;

/** Policies are stored with their whole specification and shown with resource type and id only. */
function propertiesView(properties: Properties): Properties {
  const guardian = properties["dataContractGuardian"];
  const policies = isRecord(guardian) ? guardian["policies"] : undefined;
  if (!isRecord(guardian) || !Array.isArray(policies)) return properties;
  return { ...properties, dataContractGuardian: { ...guardian, policies: policies.map(policyView) } };
}

function policyView(policy: unknown): unknown {
  if (!isRecord(policy)) return policy;
  const { spec, ...shown } = policy;
  const id = shown["id"] ?? (isRecord(spec) ? spec["id"] : undefined);
  return id === undefined ? shown : { ...shown, id };
}
