import type { DescribedComponent } from "../unit/descriptor.ts";
import type { Component, Unit } from "../unit/queries.ts";
import { shortId } from "../names.ts";

export type InEnvironment = Component["environments"][number];

export interface UnitComponent extends Omit<DescribedComponent, "isConsumable"> {
  in: Map<string, InEnvironment>;
}

/** The components of all environments with what the descriptor says of them, in its order; those that it no longer has come last. */
export function mergedComponents(unit: Unit, described: readonly DescribedComponent[]): UnitComponent[] {
  const statuses = new Map(
    unit.components.map(({ componentId, environments }) => [
      componentId,
      new Map(environments.map((each) => [each.environment, each])),
    ]),
  );
  const known = described.map(({ id, name, kind, description, dependsOn }) => ({
    id,
    name,
    kind,
    description,
    dependsOn,
    in: statuses.get(id) ?? new Map<string, InEnvironment>(),
  }));
  const ids = new Set(known.map(({ id }) => id));
  const others = [...statuses]
    .filter(([id]) => !ids.has(id))
    .map(([id, inEnvironments]) => ({
      id,
      name: shortId(id),
      kind: undefined,
      description: undefined,
      dependsOn: [],
      in: inEnvironments,
    }));
  return [...known, ...others];
}
