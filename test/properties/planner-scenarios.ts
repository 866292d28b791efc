import { hashComponent, hashRoot } from "../../src/coordinator/planning/descriptor/hash.ts";
import { readUnit } from "../../src/coordinator/planning/descriptor/unit.ts";
import type { DescriptorObject } from "../../src/coordinator/planning/descriptor/unit.ts";
import type {
  KnownStatus,
  LastKnownState,
  PlanInput,
  PlanMode,
  RequestedTarget,
} from "../../src/coordinator/planning/model.ts";
import { planProvisioning } from "../../src/coordinator/planning/plan.ts";
import { execute, withCompleteness } from "./planner-execution.ts";
import type { KnownComponent } from "./planner-execution.ts";

/** Answers a whole number from 0 to `max`; all randomness of a scenario comes from one of these. */
export type Draw = (max: number) => number;

/** A component as it is written into a descriptor. */
export interface DrawnComponent extends DescriptorObject {
  id: string;
  /** Absent for subcomponents that are in the call of their owner. */
  infrastructureTemplateId?: string;
  dependsOn: string[];
  specific: { revision: number };
  components?: DrawnComponent[];
}

export interface DrawnUnit extends DescriptorObject {
  id: string;
  version: string;
  infrastructureTemplateId?: string;
  components: DrawnComponent[];
}

/** One request against one state: everything that the planner gets. */
export interface Scenario {
  descriptor: DrawnUnit;
  last: LastKnownState;
  targets: RequestedTarget[];
  mode: PlanMode;
  preventRedeploy: boolean;
}

export const unitId = "urn:dmb:dp:test:unit:0";

/**
 * Draws a request against a state that either was reached by earlier requests, some of whose tasks failed, or
 * is made up and may be one that no history leads to.
 */
export function drawScenario(draw: Draw): Scenario {
  const descriptor = drawUnit(draw);
  if (draw(3) === 0) return drawRequest(draw, descriptor, madeUpState(draw, descriptor));
  let last: LastKnownState = { components: [] };
  let current = descriptor;
  for (let past = draw(3); past > 0; past -= 1) {
    const result = planProvisioning(inputOf(drawRequest(draw, current, last)));
    if (result.problems === undefined && result.outcome === "OK") {
      const failurePercent = draw(2) === 0 ? 25 : 0;
      last = execute(result, last, { pick: draw, fails: () => draw(99) < failurePercent }).state;
    }
    current = changeUnit(draw, current);
  }
  return drawRequest(draw, current, last);
}

export function inputOf({ descriptor, ...request }: Scenario): PlanInput {
  const { unit, problems } = readUnit(descriptor);
  if (unit === undefined) throw new Error("the scenario's descriptor is no unit");
  return {
    ...request,
    unit,
    problems,
    removeData: false,
    configured: {
      environment: "development",
      environments: ["development"],
      hasAdapter: () => true,
      pathUnitId: unitId,
    },
  };
}

function drawUnit(draw: Draw): DrawnUnit {
  const size = draw(7) === 7 ? draw(24) : draw(7);
  const names = shuffled(
    draw,
    Array.from({ length: size }, (_, index) => `c${index}`),
  );
  const density = draw(3);
  // Dependencies lead to earlier names only, and the list is shuffled again: acyclic, in any order.
  const components = names.map((id, index) =>
    drawComponent(draw, id, { below: names.slice(0, index), density }),
  );
  const unit: DrawnUnit = { id: unitId, version: "1", components: shuffled(draw, components) };
  if (draw(3) === 0) unit.infrastructureTemplateId = "template";
  return unit;
}

interface Placement {
  below: string[];
  density: number;
}

function drawComponent(draw: Draw, id: string, { below, density }: Placement): DrawnComponent {
  const component: DrawnComponent = {
    id,
    infrastructureTemplateId: "template",
    dependsOn: below.filter(() => draw(4) < density).slice(0, 6),
    specific: { revision: 0 },
  };
  if (draw(5) === 5) component.components = drawParts(draw, id, { below, depth: 0 });
  return component;
}

/** Whether the id is that of a subcomponent. */
export const isPart = (id: string): boolean => id !== unitId && id.includes(":");

export const hasOwnCall = (part: DrawnComponent): boolean => part.infrastructureTemplateId !== undefined;

/** Subcomponents of every level, parents first. */
export const partsOf = ({ components = [] }: DrawnComponent): DrawnComponent[] =>
  components.flatMap((part) => [part, ...partsOf(part)]);

function drawParts(
  draw: Draw,
  parentId: string,
  { below, depth }: { below: string[]; depth: number },
): DrawnComponent[] {
  const parts: DrawnComponent[] = [];
  for (let count = draw(2); count >= 0; count -= 1) {
    const id = `${parentId}:p${parts.length}`;
    const part: DrawnComponent = {
      id,
      dependsOn: below.filter(() => draw(5) === 5),
      specific: { revision: 0 },
    };
    if (draw(3) > 0) {
      part.infrastructureTemplateId = "template";
      part.dependsOn.push(...parts.map((earlier) => earlier.id).filter(() => draw(2) === 2));
    }
    if (depth < 2 && draw(4) === 4) part.components = drawParts(draw, id, { below, depth: depth + 1 });
    parts.push(part);
  }
  return parts;
}

/** A next version: components drop out, come in, change, and change what they depend on. */
function changeUnit(draw: Draw, unit: DrawnUnit): DrawnUnit {
  if (draw(3) === 0) return unit;
  const remaining = unit.components.filter(() => draw(5) > 0);
  const added = Array.from({ length: draw(2) }, (_, index) => `n${unit.version}${index}`);
  const names = shuffled(draw, [...remaining.map(({ id }) => id), ...added]);
  const rewires = draw(1) === 1;
  const density = draw(3);
  const components = names.map((id, index): DrawnComponent => {
    const before = remaining.find((component) => component.id === id);
    const below = names.slice(0, index);
    if (before === undefined || rewires) return drawComponent(draw, id, { below, density });
    const revision = before.specific.revision + (draw(3) === 3 ? 1 : 0);
    const next: DrawnComponent = {
      ...before,
      dependsOn: before.dependsOn.filter((need) => names.includes(need)),
      specific: { revision },
    };
    if (before.components !== undefined) next.components = changeParts(draw, before.components);
    return next;
  });
  // Without new wiring the old one is kept as far as its components are; it was acyclic and stays so.
  const next: DrawnUnit = { ...unit, version: `${unit.version}1`, components: withKnownParts(components) };
  if (draw(5) === 5) delete next.infrastructureTemplateId;
  return next;
}

/** Subcomponents change, drop out, and get or lose an adapter of their own. */
function changeParts(draw: Draw, parts: DrawnComponent[]): DrawnComponent[] {
  return parts
    .filter(() => draw(5) > 0)
    .map((part) => {
      const next = { ...part, specific: { revision: part.specific.revision + (draw(5) === 5 ? 1 : 0) } };
      if (draw(7) === 7 && hasOwnCall(part)) {
        delete next.infrastructureTemplateId;
        next.dependsOn = [];
      } else if (draw(7) === 7) next.infrastructureTemplateId = "template";
      if (part.components !== undefined) next.components = changeParts(draw, part.components);
      return next;
    });
}

function withKnownParts(components: DrawnComponent[]): DrawnComponent[] {
  const names = new Set(components.map(({ id }) => id));
  return components.map((component) => {
    if (component.components === undefined) return component;
    const known = new Set([...names, ...partsOf(component).map(({ id }) => id)]);
    return { ...component, components: component.components.map((part) => withKnownNeeds(part, known)) };
  });
}

function withKnownNeeds(part: DrawnComponent, known: ReadonlySet<string>): DrawnComponent {
  const next = { ...part, dependsOn: part.dependsOn.filter((need) => known.has(need)) };
  if (part.components !== undefined)
    next.components = part.components.map((child) => withKnownNeeds(child, known));
  return next;
}

const statuses: readonly KnownStatus[] = ["DEPLOYED", "NOT_DEPLOYED", "CORRUPT"];

/** Any status anywhere, dependencies in circles, components and subcomponents that the descriptor does not have. */
function madeUpState(draw: Draw, unit: DrawnUnit): LastKnownState {
  const gone = Array.from({ length: draw(2) }, (_, index) => `gone${index}`);
  const ids = [...unit.components.map(({ id }) => id), ...gone];
  const components = ids
    .filter(() => draw(4) > 0)
    .flatMap((componentId): KnownComponent[] => {
      const component = unit.components.find(({ id }) => id === componentId);
      const isSame = component !== undefined && draw(2) > 0;
      const parts = madeUpParts(
        draw,
        component ?? { id: componentId, dependsOn: [], specific: { revision: 0 } },
      );
      const own: KnownComponent = {
        componentId,
        infrastructureTemplateId: "template",
        status: statuses[draw(2)]!,
        hash: isSame ? hashComponent(component) : "another",
        dependsOn: isSame ? allNeeds(component) : ids.filter((id) => id !== componentId && draw(5) === 5),
        deployedOrder: draw(9),
        expects: isSame
          ? partsOf(component)
              .filter(hasOwnCall)
              .map(({ id }) => id)
          : parts.map((part) => part.componentId).filter(() => draw(1) === 1),
      };
      return [own, ...parts];
    });
  const completed = withCompleteness(components);
  if (draw(3) > 0) return { components: completed };
  const hash = draw(1) === 0 ? hashRoot(unit) : "another";
  const infrastructureTemplateId = "template";
  return {
    components: completed,
    root: { componentId: unitId, status: statuses[draw(2)]!, hash, infrastructureTemplateId },
  };
}

/** Dependencies of a component with its subcomponents, as its snapshot has them. */
const allNeeds = (component: DrawnComponent): string[] => [
  ...new Set(
    [component, ...partsOf(component)].flatMap(({ dependsOn }) => dependsOn).filter((id) => !isPart(id)),
  ),
];

function madeUpParts(draw: Draw, component: DrawnComponent): KnownComponent[] {
  const leftover =
    draw(4) === 4 ? [{ id: `${component.id}:gone`, dependsOn: [], specific: { revision: 0 } }] : [];
  const parts: KnownComponent[] = [];
  for (const part of [...partsOf(component).filter(hasOwnCall), ...leftover]) {
    if (draw(4) === 0) continue;
    const parent = part.id.slice(0, part.id.lastIndexOf(":"));
    parts.push({
      componentId: part.id,
      infrastructureTemplateId: "template",
      status: statuses[draw(2)]!,
      hash: draw(2) > 0 ? hashComponent(part) : "another",
      dependsOn: parts.map((earlier) => earlier.componentId).filter(() => draw(5) === 5),
      deployedOrder: draw(9),
      ownerId: parts.some((earlier) => earlier.componentId === parent) ? parent : component.id,
    });
  }
  return parts;
}

const modes: readonly PlanMode[] = ["strict", "autofill", "unsafe"];

function drawRequest(draw: Draw, descriptor: DrawnUnit, last: LastKnownState): Scenario {
  const mode = modes[draw(2)]!;
  const wanted = draw(2);
  const targets: RequestedTarget[] = [];
  for (const { id } of descriptor.components) {
    if (mode !== "strict" && draw(1) === 0) continue;
    const isDeployed = wanted === 2 ? draw(1) === 1 : wanted === 1;
    targets.push({ componentId: id, targetStatus: isDeployed ? "DEPLOYED" : "NOT_DEPLOYED" });
  }
  if (descriptor.infrastructureTemplateId !== undefined && draw(5) === 5) {
    targets.push({ componentId: unitId, targetStatus: draw(2) === 0 ? "NOT_DEPLOYED" : "DEPLOYED" });
  }
  return { descriptor, last, targets: shuffled(draw, targets), mode, preventRedeploy: draw(1) === 1 };
}

function shuffled<T>(draw: Draw, items: readonly T[]): T[] {
  const result = [...items];
  for (let end = result.length - 1; end > 0; end -= 1) {
    const other = draw(end);
    [result[end], result[other]] = [result[other]!, result[end]!];
  }
  return result;
}
