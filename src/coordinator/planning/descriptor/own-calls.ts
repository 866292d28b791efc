/**
 * Pure. A subcomponent with an `infrastructureTemplateId` of its own is provisioned by a call of its own; any
 * other is part of the call of its owner.
 */
import type { Component, DescriptorObject } from "./unit.ts";

export const hasOwnCall = (subcomponent: Component): boolean =>
  subcomponent.infrastructureTemplateId !== undefined;

/** The same for the row of a deployed component or subcomponent. */
export const hasCallOfItsOwn = (known: {
  parentKey: string | null;
  infrastructureTemplateId: string | null;
}): boolean => known.parentKey === null || known.infrastructureTemplateId !== null;

/** Components and those of their subcomponents that have calls of their own, parents first. */
export const calledComponents = (components: readonly Component[]): Component[] =>
  components.flatMap((component) => [component, ...component.subcomponents.filter(hasOwnCall)]);

/**
 * By subcomponent key, the key of its owner: the innermost enclosing component or subcomponent with a call of
 * its own.
 */
export function ownerKeys(component: Component): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const called = new Set([component.key]);
  for (const subcomponent of component.subcomponents) {
    const parentKey = subcomponent.parentKey ?? component.key;
    owners.set(
      subcomponent.key,
      called.has(parentKey) ? parentKey : (owners.get(parentKey) ?? component.key),
    );
    if (hasOwnCall(subcomponent)) called.add(subcomponent.key);
  }
  return owners;
}

const none: readonly string[] = [];

/** Ids of the subcomponents with calls of their own in the descriptor of a component, as it was accepted. */
export function ownCallIds(descriptor: object, id = idOf(descriptor, "")): readonly string[] {
  const nested: unknown = Reflect.get(descriptor, "components");
  if (!Array.isArray(nested) || nested.length === 0) return none;
  return (nested as DescriptorObject[]).flatMap((child) => {
    const childId = idOf(child, `${id}:${textOf(child["name"])}`);
    const isCalled = textOf(child["infrastructureTemplateId"]).trim() !== "";
    return [...(isCalled ? [childId] : none), ...ownCallIds(child, childId)];
  });
}

const idOf = (descriptor: object, otherwise: string): string =>
  textOf(Reflect.get(descriptor, "id")) || otherwise;

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
