/** The status of a unit and of one component in an environment. A unit never seen is simply not deployed. */
import type { Database } from "../../platform/db/database.ts";
import type { CoordinatorContext } from "../context.ts";
import { requireEnvironment } from "../environments.ts";
import { idKey } from "../descriptor/ids.ts";
import type { ComponentStatusResponse, UnitStatusResponse } from "./schema.ts";
import { unitStatus, type UnitStatus } from "./state.ts";
import { readComponent, readUnit, type UnitKey, type UnitView } from "./store.ts";

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
  const unit = await readUnit(ctx.coordinator.database.pool, at);
  if (!unit) return nothingKnown(query.includeDescriptor);
  return {
    status: statusOf(unit, at.unitKey, unit.activePlanId !== null),
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

/** What the unit is apart from an operation that may be active on it; null for a unit never seen. */
export async function unitStatusAtRest(database: Database, at: UnitKey): Promise<UnitStatus | null> {
  const unit = await readUnit(database.pool, at);
  return unit ? statusOf(unit, at.unitKey, false) : null;
}

function statusOf(unit: UnitView, unitKey: string, isActive: boolean): UnitStatus {
  const top = unit.components.filter((row) => row.parentKey === null);
  const known = new Map(top.map((row) => [row.key, row.status]));
  return unitStatus({
    isActive,
    blockedByService: unit.blockedByService,
    known: top.map((row) => row.status),
    wanted: wantedKeys(unit, unitKey).map((key) => known.get(key) ?? "NOT_DEPLOYED"),
  });
}

export async function getComponentStatus(
  ctx: CoordinatorContext,
  query: StatusQuery & { componentId: string },
): Promise<ComponentStatusResponse> {
  requireEnvironment(ctx, query.environment);
  const at = { unitKey: idKey(query.unitId), environment: query.environment };
  const component = await readComponent(ctx.coordinator.database.kysely, at, idKey(query.componentId));
  const status = component?.atWork ? "PROVISIONING_IN_PROGRESS" : (component?.status ?? "NOT_DEPLOYED");
  return {
    status: status as UnitStatus,
    provisioningDetails: {
      descriptorVersion: component?.descriptorVersion ?? "",
      ...(query.includeDescriptor ? { descriptor: component?.descriptor ?? {} } : {}),
    },
  };
}

const nothingKnown = (includeDescriptor: boolean): UnitStatusResponse => ({
  status: "NOT_DEPLOYED",
  provisioningDetails: {
    descriptorVersion: "",
    ...(includeDescriptor ? { descriptor: {} } : {}),
    provisioningInfo: {},
    componentsStatus: [],
  },
});

/** Keys that the last descriptor wants deployed: its components, and the unit itself when it is provisioned. */
function wantedKeys(unit: UnitView, unitKey: string): string[] {
  const keys = listedIds(unit).map(idKey);
  return unit.descriptor?.infrastructureTemplateId ? [unitKey, ...keys] : keys;
}

const listedIds = ({ descriptor }: UnitView): string[] =>
  Array.isArray(descriptor?.components)
    ? (descriptor.components as { id?: unknown }[]).map(({ id }) => String(id))
    : [];

/**
 * What is known of each component; those that were never deployed are named by the active plan or, at rest, by the
 * last descriptor.
 */
function componentsStatus(
  unit: UnitView,
  unitKey: string,
): UnitStatusResponse["provisioningDetails"]["componentsStatus"] {
  const atWork = new Set(unit.planned.filter(({ isAtWork }) => isAtWork).map(({ key }) => key));
  const rows = unit.components.map(({ key, id, parentKey, descriptorVersion, status }) => ({
    componentId: id,
    descriptorVersion: descriptorVersion ?? "",
    status: (atWork.has(key) || atWork.has(parentKey ?? key)
      ? "PROVISIONING_IN_PROGRESS"
      : status) as UnitStatus,
  }));
  const told = new Set([unitKey, ...unit.components.map(({ key }) => key)]);
  for (const id of [...listedIds(unit), ...unit.planned.map((task) => task.id)]) {
    const key = idKey(id);
    if (told.has(key)) continue;
    told.add(key);
    const status = atWork.has(key) ? "PROVISIONING_IN_PROGRESS" : "NOT_DEPLOYED";
    rows.push({ componentId: id, descriptorVersion: "", status });
  }
  return rows;
}
