import { listSome } from "../../platform/lib/list-some.ts";
import type { Problem } from "../../platform/errors/failure.ts";
import type { EntityOutcome } from "./entities/describe-entity.ts";
import { cyclicGroupsAsMet, smallestFirstOrder } from "../../platform/lib/graph.ts";

/** The outcome for an entity without its descriptor: the input of all checks across the unit. */
export type EntitySummary = Omit<EntityOutcome, "descriptor">;

export interface ResolvedUnit {
  /** Directory of the system; null when there is no valid one. */
  system: string | null;
  /** Directories of the components, in the order in which the system lists them. */
  components: string[];
  problems: Problem[];
  /** Total number, when only some are listed. */
  problemCount: number;
  warnings: string[];
}

/**
 * Combines the entities of an archive: one system, its components in order, and the problems that concern
 * several of them. `entities` are sorted by directory name.
 */
export const resolveUnit = (entities: readonly EntitySummary[]): ResolvedUnit => {
  const systems = entities.filter((entity) => entity.kind === "system");
  const [system, ...ignored] = systems;
  const ignoredNames = new Set(ignored.map(({ systemName }) => systemName));
  ignoredNames.delete(system?.systemName ?? "");
  ignoredNames.delete("");
  const all = entities.filter((entity) => entity.kind === "component");
  const components = all.filter(({ systemName }) => !ignoredNames.has(systemName));
  const ignoredComponents = all.filter(({ systemName }) => ignoredNames.has(systemName));
  const used = entities.filter((entity) => !ignored.includes(entity) && !ignoredComponents.includes(entity));
  const unclassified = entities.some((entity) => entity.kind === null);
  const problems = used.flatMap((entity) => entity.problems);
  const warnings = used.flatMap((entity) => entity.warnings);

  if (system === undefined && !unclassified) {
    problems.push({
      where: "/archive",
      message: "No directory of the archive holds a System.",
      solution: "Add the directory of the system that the components belong to.",
    });
  }
  if (ignored.length > 0) {
    const names = ignored.map((entity) => entity.directory).join(", ");
    const withComponents =
      ignoredComponents.length === 0
        ? ""
        : `, with their components ${listSome(ignoredComponents, maxNames, ({ directory }) => directory)}`;
    warnings.push(
      `The archive holds ${systems.length} systems; ${system?.directory} is used, ignored: ${names}${withComponents}.`,
    );
  }
  const known = components.filter((component) => component.systemName !== "");
  if (system !== undefined && system.systemName !== "") {
    problems.push(...known.flatMap((component) => checkMembership(component, system.systemName)));
  }
  problems.push(...findDuplicates(known));
  // A component that could not be read may be the target of a dependency.
  const complete = !unclassified && components.every((component) => component.components.length > 0);
  if (complete) problems.push(...findExternalDependencies(known));
  const { order, cycles } = orderComponents(known.map(orderNodeOf));
  problems.push(
    ...cycles.map((members) => ({
      where: "/archive",
      message: `These components depend on each other in a circle: ${listSome(members, maxNames)}.`,
    })),
  );
  return {
    system: system?.directory ?? null,
    components: order.map((position) => known[position]!.directory),
    problems,
    problemCount: problems.length,
    warnings,
  };
};

const entityFile = (entity: EntitySummary): string => `${entity.directory}/catalog-info.yaml`;

const checkMembership = (component: EntitySummary, systemName: string): Problem[] => {
  const named = component.systemName;
  const stated = component.statedSystem ?? named;
  if (named === systemName && stated === systemName) return [];
  const pointer = named === systemName ? "/spec/system" : "/metadata/name";
  const other = named === systemName ? stated : named;
  return [
    {
      where: `${entityFile(component)}#${pointer}`,
      message: `The component belongs to the system ${other.slice(0, 100)}, the archive's system is ${systemName}.`,
    },
  ];
};

const findDuplicates = (components: readonly EntitySummary[]): Problem[] => {
  const firstWith = new Map<string, string>();
  const problems: Problem[] = [];
  for (const component of components) {
    for (const { id, path } of component.components) {
      const where = `${entityFile(component)}#${path}`;
      const first = firstWith.get(sameId(id));
      if (first === undefined) firstWith.set(sameId(id), where);
      else problems.push({ where, message: `The id ${id} is already taken by ${first.replace(/#$/, "")}.` });
    }
  }
  return problems;
};

/** Dependencies on something outside the unit. */
const findExternalDependencies = (components: readonly EntitySummary[]): Problem[] => {
  const known = new Set(components.flatMap((component) => component.components.map(({ id }) => sameId(id))));
  return components.flatMap((component) =>
    component.components.flatMap(({ dependsOn, path }) =>
      dependsOn
        .filter((id) => !known.has(sameId(id)))
        .map((id) => ({
          where: `${entityFile(component)}#${path}/dependsOn`,
          message: `It depends on ${id.slice(0, 200)}, which is not a component of this system.`,
        })),
    ),
  );
};

/** A component is deployed together with its nested components, so it depends on the dependencies of both. */
const orderNodeOf = (component: EntitySummary) => {
  const own = component.components[0];
  const inside = new Set(component.components.slice(1).map(({ id }) => sameId(id)));
  const nestedNeeds = component.components
    .slice(1)
    .flatMap(({ dependsOn }) => dependsOn)
    .filter((id) => !inside.has(sameId(id)) && sameId(id) !== sameId(own?.id ?? ""));
  return {
    id: own?.id ?? component.directory,
    name: own?.name ?? component.directory,
    dependsOn: [...(own?.dependsOn ?? []), ...nestedNeeds],
  };
};

/** Most names that a problem lists. */
const maxNames = 10;

/** A component as far as ordering needs it. */
export interface OrderNode {
  id: string;
  name: string;
  dependsOn: readonly string[];
}

interface ComponentOrder {
  /** Indexes of the input, dependencies first, ties by name. Members of cycles are omitted. */
  order: number[];
  /** The groups of components that depend on each other or on themselves, each in traversal order. */
  cycles: string[][];
}

/** Ids are URNs, which are compared ignoring case. */
const sameId = (id: string): string => id.toLowerCase();

/** Orders components independently of the input order. Dependencies on unknown ids count as satisfied. */
export const orderComponents = (nodes: readonly OrderNode[]): ComponentOrder => {
  const byName = nodes.map((_, position) => position).sort((a, b) => compareNodes(nodes[a]!, nodes[b]!));
  const rankOf = new Map(byName.map((position, rank) => [position, rank]));
  const idRanks = new Map(nodes.map(({ id }, position) => [sameId(id), rankOf.get(position)!]));
  const needs = byName.map((position) => [
    ...new Set(nodes[position]!.dependsOn.flatMap((id) => idRanks.get(sameId(id)) ?? [])),
  ]);
  const order = smallestFirstOrder(needs).map((rank) => byName[rank]!);
  const cycles = order.length === nodes.length ? [] : cyclicGroupsAsMet(needs);
  return { order, cycles: cycles.map((ranks) => ranks.map((rank) => nodes[byName[rank]!]!.id)) };
};

/** By code unit, so that the order does not depend on the locale. */
const compareNodes = (a: OrderNode, b: OrderNode): number =>
  compareText(a.name, b.name) || compareText(a.id, b.id);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
