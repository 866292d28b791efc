/** Pure: the resources in the descriptor of a unit: the unit itself and its components. */
import { isRecord } from "../../platform/lib/is-record.ts";
import type { Resource } from "./policy.ts";

export interface UnitRequest {
  descriptor: Record<string, unknown>;
  /** The descriptor that is deployed, if any. */
  previous?: object | null | undefined;
  environment: string;
  /** Ids of the components that count; all of them where it is absent. The unit itself always counts. */
  componentIds?: readonly string[] | undefined;
  /** The id of the unit where the descriptor has none. */
  unitId?: string | undefined;
}

/** The type of a unit whose descriptor does not say its kind. */
const usualUnitType = "dataproduct";
const usualComponentType = "component";

/** The unit first, then its components in the order of the descriptor. Ids are compared in any case. */
export function resourcesOfUnit(request: UnitRequest): Resource[] {
  const { descriptor, previous, environment, componentIds } = request;
  const unitId = textOf(descriptor["id"]) ?? request.unitId ?? "";
  const wanted = componentIds === undefined ? null : new Set(componentIds.map(idKey));
  const before = isRecord(previous) ? previous : null;
  const originals = new Map(before ? componentsOf(before).map(({ key, value }) => [key, value]) : []);
  const common = { environment, unit: descriptor, unitId };
  const unit: Resource = {
    ...common,
    id: unitId,
    displayName: nameOf(descriptor, unitId),
    resourceType: typeOf(descriptor, usualUnitType),
    descriptor,
    ...(before ? { original: before } : {}),
  };
  const components = componentsOf(descriptor)
    .filter(({ key }) => wanted === null || wanted.has(key))
    .map(({ id, key, value }): Resource => {
      const original = originals.get(key);
      return {
        ...common,
        id,
        displayName: nameOf(value, id),
        resourceType: typeOf(value, usualComponentType),
        descriptor: value,
        ...(original ? { original } : {}),
      };
    });
  return [unit, ...components];
}

/** The key by which ids are compared, as the coordinator does it. */
export const idKey = (id: string): string => id.toLowerCase();

function componentsOf(unit: Record<string, unknown>) {
  const list = unit["components"];
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).flatMap((value) => {
    const id = textOf(value["id"]);
    return id === undefined ? [] : [{ id, key: idKey(id), value }];
  });
}

const typeOf = (descriptor: Record<string, unknown>, usual: string): string =>
  (textOf(descriptor["kind"]) ?? usual).toLowerCase();

const nameOf = (descriptor: Record<string, unknown>, id: string): string =>
  textOf(descriptor["displayName"]) ?? textOf(descriptor["name"]) ?? id;

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
