/**
 * Pure. Adds to the descriptor what the adapters of a component's dependencies have returned: as `info
 * {publicInfo, privateInfo}` in the entry of each dependency. Adapters that do not read the enriched
 * descriptor look for it there.
 *
 * Dependencies are those in `dependsOn`, and for a subcomponent its parent. Indirect dependencies are left
 * out: adapters look up the ids of `dependsOn`, and private info is passed on only where it is needed. The
 * enriched descriptor has all.
 */
import { isRecord } from "../../../platform/lib/is-record.ts";
import { idKey } from "../../planning/descriptor/ids.ts";
import type { Info } from "../record/types.ts";

export type Component = Record<string, unknown>;

export interface DependencyInfo {
  publicInfo: object;
  privateInfo: object;
}

/** Null when the component was never provisioned, or its adapter returned nothing. */
export const dependencyInfo = (info: Info | null | undefined): DependencyInfo | null =>
  info ? { publicInfo: asObject(info.publicInfo), privateInfo: asObject(info.privateInfo) } : null;

/** Position of a component in the descriptor. */
interface Place {
  /** Index of the component of the unit that it is, or is part of. */
  entry: number;
  parentKey: string | null;
  dependsOn: string[];
}

export type Places = Map<string, Place>;

/** Components and subcomponents of every level, by key. */
export function placesOf(components: Component[]): Places {
  const places: Places = new Map();
  for (const [entry, component] of components.entries()) addPlace(places, component, { entry, parent: null });
  return places;
}

function addPlace(
  places: Places,
  component: Component,
  { entry, parent }: { entry: number; parent: Component | null },
): void {
  const key = keyOf(component, parent);
  const dependsOn = Array.isArray(component["dependsOn"])
    ? component["dependsOn"].map((id) => idKey(String(id)))
    : [];
  places.set(key, { entry, parentKey: parent && keyOf(parent), dependsOn });
  const own = { ...component, id: key };
  for (const child of componentsOf(component["components"])) addPlace(places, child, { entry, parent: own });
}

export function dependenciesOf(places: Places, key: string): Set<string> {
  const place = places.get(key);
  const keys = new Set(place?.dependsOn);
  if (place && place.parentKey !== null) keys.add(place.parentKey);
  keys.delete(key);
  return keys;
}

/** The keys grouped by the entry that contains them, in the order of the descriptor. */
export function byEntry(places: Places, keys: Iterable<string>): [entry: number, keys: string[]][] {
  const found = new Map<number, string[]>();
  for (const key of keys) {
    const entry = places.get(key)?.entry;
    if (entry !== undefined) found.set(entry, [...(found.get(entry) ?? []), key]);
  }
  return [...found].toSorted(([left], [right]) => left - right);
}

export interface Infos {
  /** By component key. */
  infos: ReadonlyMap<string, DependencyInfo>;
  guardians: Readonly<Record<string, string>>;
}

/** Adds the known infos to the component and its subcomponents. */
export function withInfos(component: Component, known: Infos, parent: Component | null = null): Component {
  const key = keyOf(component, parent);
  const info = known.infos.get(key);
  const own = { ...component, id: key };
  const nested = componentsOf(component["components"]).map((child) => withInfos(child, known, own));
  return {
    ...component,
    ...(nested.length > 0 ? { components: nested } : {}),
    ...(info
      ? { info: withGuardian({ ...asObject(component["info"]), ...info }, known.guardians[key]) }
      : {}),
  };
}

/** Adapters find the policy that guards a component's data contract in its private info. */
export function withGuardian(info: unknown, guardian: string | undefined): Component {
  const base = asObject(info);
  if (guardian === undefined) return base;
  const privateInfo = asObject(base["privateInfo"]);
  return { ...base, privateInfo: { ...privateInfo, __dataContractGuardian: { policyId: guardian } } };
}

/** The key of a subcomponent without an id is made of its parent's id and its name. */
export function keyOf(component: Component, parent: Component | null = null): string {
  const { id, name } = component;
  const isDerived = parent !== null && (id === undefined || id === null);
  return idKey(String(isDerived ? `${String(parent["id"])}:${String(name)}` : id));
}

export const componentsOf = (listed: unknown): Component[] =>
  Array.isArray(listed) ? (listed as Component[]) : [];

export const asObject = (value: unknown): Component => (isRecord(value) ? value : {});
