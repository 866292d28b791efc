/** Pure. Puts deployed snapshots and infos of subcomponents into the descriptors that adapters receive. */
import { idKey } from "../../planning/descriptor/ids.ts";
import type { SnapshotMember } from "../record/types.ts";

export type Component = Record<string, unknown>;

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
export type InfoOf = (key: string, given: unknown) => object | undefined;

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
