/** Pure: the resources in the descriptor of a unit: the unit itself and its components. */
import { isRecord } from "../../platform/lib/is-record.ts";
import type { Resource } from "./policy.ts";

export interface UnitRequest {
  descriptor: Record<string, unknown>;
  /** The descriptor that is deployed, if any. */
  previous?: object | null | undefined;
  environment: string;
  /**
   * Ids of the components that count, with their parts that have no call of their own; all of them where it is absent. The
   * unit itself always counts.
   */
  componentIds?: readonly string[] | undefined;
  /** The id of the unit where the descriptor has none. */
  unitId?: string | undefined;
}

/** The type of a unit whose descriptor does not say its kind. */
const usualUnitType = "dataproduct";
const usualComponentType = "component";

/** The unit first, then its components of every level in the order of the descriptor. Ids are compared in any case. */
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
    .filter(({ key, callKey }) => wanted === null || wanted.has(key) || wanted.has(callKey))
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

interface FoundComponent {
  id: string;
  key: string;
  /** Of the component whose call provisions it: its own, or that of the innermost owner with a call of its own. */
  callKey: string;
  value: Record<string, unknown>;
}

/** Of every level, parents first. Ids are those that the coordinator gives them: a nested one may have a name only. */
function componentsOf(
  owner: Record<string, unknown>,
  parent?: Pick<FoundComponent, "id" | "callKey">,
): FoundComponent[] {
  const list = owner["components"];
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).flatMap((value) => {
    const name = textOf(value["name"]);
    const derived = parent === undefined || name === undefined ? undefined : `${parent.id}:${name}`;
    const id = textOf(value["id"]) ?? derived;
    if (id === undefined) return componentsOf(value, parent);
    const key = idKey(id);
    const hasOwnCall = (textOf(value["infrastructureTemplateId"]) ?? "").trim() !== "";
    const callKey = parent === undefined || hasOwnCall ? key : parent.callKey;
    return [{ id, key, callKey, value }, ...componentsOf(value, { id, callKey })];
  });
}

/** How many components there are of every level, whether they have an id or not. */
export function countComponents({ components }: Record<string, unknown>): number {
  if (!Array.isArray(components)) return 0;
  return components.filter(isRecord).reduce((count, each) => count + 1 + countComponents(each), 0);
}

const typeOf = (descriptor: Record<string, unknown>, usual: string): string =>
  (textOf(descriptor["kind"]) ?? usual).toLowerCase();

const nameOf = (descriptor: Record<string, unknown>, id: string): string =>
  textOf(descriptor["displayName"]) ?? textOf(descriptor["name"]) ?? id;

/** Numbers are text, as in descriptors of the coordinator. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
