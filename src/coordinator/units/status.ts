/** The status of a unit and of one component in an environment. An unknown unit is NOT_DEPLOYED. */
import type { Database } from "../../platform/db/database.ts";
import type { CoordinatorContext } from "../context.ts";
import { requireEnvironment } from "../environments.ts";
import { idKey } from "../ids.ts";
import { ownCallIds } from "../planning/descriptor/own-calls.ts";
import type { ComponentStatusResponse, UnitStatusResponse } from "./schema.ts";
import { readComponent, readUnit, type FailureView, type UnitKey, type UnitView } from "./store.ts";

export interface StatusQuery {
  unitId: string;
  environment: string;
  includeDescriptor: boolean;
}

export async function getUnitStatus(
  ctx: CoordinatorContext,
  query: StatusQuery,
): Promise<UnitStatusResponse> {
  requireEnvironment(ctx, query.environment);
  const at = { unitKey: idKey(query.unitId), environment: query.environment };
  const unit = await ctx.coordinator.readUnit(at);
  if (!unit) return nothingKnown(query.includeDescriptor);
  const { rootProvisioning } = ctx.coordinator.settings;
  const status = statusOf(unit, at.unitKey, { isActive: unit.activePlanId !== null, rootProvisioning });
  const failure = status === "CORRUPT" ? failureOf(unit) : null;
  return {
    status,
    ...(failure ? { failure } : {}),
    provisioningDetails: {
      descriptorVersion: unit.descriptorVersion ?? "",
      ...(query.includeDescriptor ? { descriptor: unit.descriptor ?? {} } : {}),
      provisioningInfo: Object.fromEntries(
        unit.components.filter((row) => row.publicInfo).map((row) => [row.id, row.publicInfo]),
      ),
      componentsStatus: componentsStatus(unit, at.unitKey),
    },
  };
}

/**
 * What made the unit CORRUPT: its first corrupt component, or the service that blocked its last operation.
 */
export const failureOf = ({ components, serviceFailure }: UnitView): FailureView | null =>
  components.find(({ failure }) => failure !== null)?.failure ?? serviceFailure;

/** The status of the unit, ignoring an active operation; null for an unknown unit. */
export async function unitStatusAtRest(
  { database, rootProvisioning }: { database: Database; rootProvisioning: boolean },
  at: UnitKey,
): Promise<UnitStatus | null> {
  const unit = await readUnit(database.pool, at);
  return unit ? statusOf(unit, at.unitKey, { isActive: false, rootProvisioning }) : null;
}

export function statusOf(
  unit: UnitView,
  unitKey: string,
  { isActive, rootProvisioning }: { isActive: boolean; rootProvisioning: boolean },
): UnitStatus {
  const called = unit.components.filter(
    ({ key, isInCall }) => !isInCall && (rootProvisioning || key !== unitKey),
  );
  const known = new Map(called.map((row) => [row.key, row.status]));
  const wanted = listedIds(unit).map(idKey);
  if (rootProvisioning && unit.descriptor?.infrastructureTemplateId) wanted.unshift(unitKey);
  return unitStatus({
    isActive,
    blockedByService: unit.blockedByService,
    known: called.map((row) => row.status),
    wanted: wanted.map((key) => known.get(key) ?? "NOT_DEPLOYED"),
  });
}

export async function getComponentStatus(
  ctx: CoordinatorContext,
  query: StatusQuery & { componentId: string },
): Promise<ComponentStatusResponse> {
  requireEnvironment(ctx, query.environment);
  const at = { unitKey: idKey(query.unitId), environment: query.environment };
  const component = await readComponent(ctx.coordinator.database.db, at, idKey(query.componentId));
  const { atWork, failure, descriptor, descriptorVersion } = component;
  return {
    status: (atWork ? "PROVISIONING_IN_PROGRESS" : component.status) as UnitStatus,
    ...(component.isUnitKnown ? {} : { known: false }),
    ...(failure && !atWork ? { failure } : {}),
    provisioningDetails: {
      descriptorVersion: descriptorVersion ?? "",
      ...(query.includeDescriptor ? { descriptor } : {}),
    },
  };
}

const nothingKnown = (includeDescriptor: boolean): UnitStatusResponse => ({
  status: "NOT_DEPLOYED",
  known: false,
  provisioningDetails: {
    descriptorVersion: "",
    ...(includeDescriptor ? { descriptor: {} } : {}),
    provisioningInfo: {},
    componentsStatus: [],
  },
});

const listedIds = ({ descriptor }: UnitView): string[] =>
  (descriptor?.components ?? []).flatMap((component) => {
    const id = String(Reflect.get(component, "id"));
    return [id, ...ownCallIds(component, id)];
  });

/**
 * The known components, then those of the last descriptor and of the active plan that were never deployed.
 */
export function componentsStatus(
  unit: UnitView,
  unitKey: string,
): UnitStatusResponse["provisioningDetails"]["componentsStatus"] {
  const atWork = new Set(unit.planned.filter(({ isAtWork }) => isAtWork).map(({ key }) => key));
  const rows: UnitStatusResponse["provisioningDetails"]["componentsStatus"] = unit.components.map((row) => {
    const isAtWork = atWork.has(row.isInCall ? (row.parentKey ?? row.key) : row.key);
    return {
      componentId: row.id,
      descriptorVersion: row.descriptorVersion ?? "",
      status: (isAtWork ? "PROVISIONING_IN_PROGRESS" : row.status) as UnitStatus,
      ...(row.failure && !isAtWork ? { failure: row.failure } : {}),
    };
  });
  const listed = new Set([unitKey, ...unit.components.map(({ key }) => key)]);
  for (const id of [...listedIds(unit), ...unit.planned.map((task) => task.id)]) {
    const key = idKey(id);
    if (listed.has(key)) continue;
    listed.add(key);
    const status = atWork.has(key) ? "PROVISIONING_IN_PROGRESS" : "NOT_DEPLOYED";
    rows.push({ componentId: id, descriptorVersion: "", status });
  }
  return rows;
}

/** The status of a unit; it is computed from the statuses of its components. */
export type UnitStatus =
  | "DEPLOYED"
  | "NOT_DEPLOYED"
  | "PARTIALLY_DEPLOYED"
  | "CORRUPT"
  | "PROVISIONING_IN_PROGRESS";

export interface UnitFacts {
  isActive: boolean;
  /** The last operation failed because a blocking external service refused it. */
  blockedByService: boolean;
  /** Statuses of the root, if it is provisioned itself, and of every known component. */
  known: readonly string[];
  /** Statuses of the components of the last descriptor (and its root). */
  wanted: readonly string[];
}

export function unitStatus(facts: UnitFacts): UnitStatus {
  if (facts.isActive) return "PROVISIONING_IN_PROGRESS";
  if (facts.blockedByService || facts.known.includes("CORRUPT")) return "CORRUPT";
  const deployed = facts.known.filter((status) => status === "DEPLOYED").length;
  if (deployed === 0) return "NOT_DEPLOYED";
  const isWhole = facts.wanted.length > 0 && facts.wanted.every((status) => status === "DEPLOYED");
  return isWhole ? "DEPLOYED" : "PARTIALLY_DEPLOYED";
}
