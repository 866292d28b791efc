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
import { idKey } from "../../ids.ts";
import type { Info, SnapshotMember } from "../types.ts";

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

// Puts deployed snapshots and infos of subcomponents into the descriptors that adapters receive.

/** The id of a subcomponent without one is made of its parent's id and its name. */
const idOf = ({ id, name }: Component, parentId: string | null): string =>
  parentId !== null && (id === undefined || id === null) ? `${parentId}:${String(name)}` : String(id);

const nestedIn = ({ components }: Component): Component[] =>
  Array.isArray(components) ? (components as Component[]) : [];

/**
 * The unit's components with the deployed snapshots of retired ones, which replace the new entries or are
 * appended.
 */
export function replaceRetired(components: Component[], retired: readonly SnapshotMember[]): Component[] {
  if (retired.length === 0) return components;
  const left = new Map(retired.map((member) => [member.key, member]));
  const replaced = components.map((component) => replaceIn(component, null, left));
  const joining = Map.groupBy(left.values(), ({ parentKey }) => parentKey);
  const joined =
    joining.size === 0 ? replaced : replaced.map((component) => joinIn(component, null, joining));
  const others = [...joining.values()].flat().map(({ descriptor }) => descriptor as Component);
  return [...joined, ...others];
}

function replaceIn(
  component: Component,
  parentId: string | null,
  left: Map<string, SnapshotMember>,
): Component {
  const id = idOf(component, parentId);
  const member = left.get(idKey(id));
  left.delete(idKey(id));
  const base = member === undefined ? component : (member.descriptor as Component);
  const nested = nestedIn(base);
  if (nested.length === 0 || left.size === 0) return base;
  return { ...base, components: nested.map((child) => replaceIn(child, id, left)) };
}

/** Puts retired subcomponents back into the component that they were nested in. */
function joinIn(
  component: Component,
  parentId: string | null,
  joining: Map<string | null, SnapshotMember[]>,
): Component {
  const id = idOf(component, parentId);
  const own = joining.get(idKey(id)) ?? [];
  joining.delete(idKey(id));
  const all = [...nestedIn(component), ...own.map(({ descriptor }) => descriptor as Component)];
  if (all.length === 0 || (own.length === 0 && joining.size === 0)) return component;
  return { ...component, components: all.map((child) => joinIn(child, id, joining)) };
}

/** The info of a subcomponent with a call of its own; undefined leaves the descriptor's own. */
type InfoOf = (key: string, given: unknown) => object | undefined;

/** Sets the info of each subcomponent that has a call of its own. */
export function withNestedInfo(component: Component, infoOf: InfoOf, id = idOf(component, null)): Component {
  const nested = nestedIn(component);
  if (nested.length === 0) return component;
  const components = nested.map((child) => {
    const childId = idOf(child, id);
    const described = withNestedInfo(child, infoOf, childId);
    const template = child["infrastructureTemplateId"];
    const isCalled = typeof template === "string" ? template.trim() !== "" : typeof template === "number";
    const info = isCalled ? infoOf(idKey(childId), child["info"]) : undefined;
    return info === undefined ? described : { ...described, info };
  });
  return { ...component, components };
}
