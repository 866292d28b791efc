import { isDeepStrictEqual } from "node:util";
import type { PlanInput, PlannedChange, RequestedTarget } from "../../src/coordinator/planning/model.ts";
import { planProvisioning, planResponse } from "../../src/coordinator/planning/plan.ts";
import type { ProvisioningPlan } from "../../src/coordinator/planning/plan.ts";
import { buildTaskGraph } from "../../src/coordinator/planning/task-graph.ts";
import { execute } from "./planner-execution.ts";
import type { Draw, DrawnComponent, Scenario } from "./planner-scenarios.ts";
import { hasOwnCall, inputOf, isPart, partsOf, unitId } from "./planner-scenarios.ts";
import type { KnownComponent } from "./planner-execution.ts";

/**
 * Everything that must hold of any plan, judged from the scenario itself and not from what the planner keeps.
 * Answers what does not hold, as sentences.
 */
export function violations(scenario: Scenario, draw: Draw): string[] {
  const input = deepFrozen(inputOf(scenario));
  const plan = planProvisioning(input);
  if (plan.problems !== undefined) return [`refused: ${plan.problems[0]!.message}`];
  const again = planProvisioning(input);
  if (again.problems !== undefined || !isDeepStrictEqual(planResponse(plan), planResponse(again))) {
    return ["a second preview answers otherwise"];
  }
  const facts: Facts = { scenario, input, plan, changes: new Map() };
  for (const change of plan.operations) facts.changes.set(change.componentId, change);
  const found = [...completeness(facts), ...outcome(facts), ...requests(facts), ...copies(facts)];
  found.push(...parts(facts));
  if (plan.outcome === "KO") return found;
  return [...found, ...taskOrder(facts), ...partOrder(facts), ...endState(facts, draw)];
}

/** What a scenario exercises, so that a run can show that it was not all the same. */
export function features(scenario: Scenario): string[] {
  const plan = planProvisioning(inputOf(scenario));
  if (plan.problems !== undefined) return ["refused"];
  const facts: Facts = { scenario, input: inputOf(scenario), plan, changes: new Map() };
  for (const change of plan.operations) facts.changes.set(change.componentId, change);
  const ids = nodesOf(plan).map(({ componentId }) => componentId);
  const found = new Set<string>([plan.outcome, scenario.mode]);
  for (const { componentId, reason, additionalReasons, action } of plan.operations) {
    found.add(`${isPart(componentId) ? "part " : ""}${action}/${reason}`);
    for (const additional of additionalReasons) found.add(`+${additional}`);
  }
  if (facts.changes.has(unitId)) found.add("root");
  if (hasCycle(ids, (id) => oldNeeds(facts, id))) found.add("snapshots in a circle");
  if (hasCycle(ids, (id) => effectiveNeeds(facts, id))) found.add("descriptor and snapshots in a circle");
  return [...found];
}

interface Facts {
  scenario: Scenario;
  input: PlanInput;
  plan: ProvisioningPlan;
  changes: Map<string, PlannedChange>;
}

const isProvision = ({ action }: PlannedChange): boolean => action === "DEPLOY" || action === "REDEPLOY";

function currentOf({ scenario }: Facts, id: string): string {
  const { components, root } = scenario.last;
  if (id === unitId) return root?.status ?? "NOT_DEPLOYED";
  return components.find(({ componentId }) => componentId === id)?.status ?? "NOT_DEPLOYED";
}

function endsDeployed(facts: Facts, id: string): boolean {
  const change = facts.changes.get(id);
  if (change === undefined) return false;
  return change.action === "NONE" ? currentOf(facts, id) === "DEPLOYED" : isProvision(change);
}

/** What is left alone carries others only with the subcomponents that its deployed snapshot has. */
function endsWhole(facts: Facts, id: string): boolean {
  if (facts.changes.get(id)?.action !== "NONE") return endsDeployed(facts, id);
  const known: KnownComponent | undefined = facts.scenario.last.components.find(
    ({ componentId }) => componentId === id,
  );
  const expected = known?.expects ?? [];
  return endsDeployed(facts, id) && expected.every((part) => endsDeployed(facts, part));
}

function newNeeds({ scenario }: Facts, id: string): string[] {
  const component = scenario.descriptor.components.find((candidate) => candidate.id === id);
  if (component === undefined) return [];
  const all = [component, ...partsOf(component)].flatMap(({ dependsOn }) => dependsOn);
  const needs = new Set(all.filter((need) => need !== id && !isPart(need)));
  if (scenario.descriptor.infrastructureTemplateId !== undefined) needs.add(unitId);
  return [...needs];
}

/** Dependencies in the snapshot, without those that neither the plan nor the state has any more. */
function oldNeeds(facts: Facts, id: string): string[] {
  const { scenario, changes } = facts;
  const isThere = (each: string): boolean => currentOf(facts, each) !== "NOT_DEPLOYED";
  const isSomethingThere = isThere(id) || knownParts(facts, id).some((part) => isThere(part));
  if (id === unitId || !isSomethingThere) return [];
  const known = scenario.last.components.find(({ componentId }) => componentId === id);
  const needs = (known?.dependsOn ?? []).filter((need) => changes.has(need));
  const hasRoot = scenario.descriptor.infrastructureTemplateId !== undefined;
  return hasRoot && currentOf(facts, unitId) !== "NOT_DEPLOYED" ? [...needs, unitId] : needs;
}

function effectiveNeeds(facts: Facts, id: string): string[] {
  return isProvision(facts.changes.get(id)!) ? newNeeds(facts, id) : oldNeeds(facts, id);
}

/** Each component, part, removed component and the root once, and nothing else. */
function completeness({ scenario, plan }: Facts): string[] {
  const { descriptor, last } = scenario;
  const own = descriptor.components.flatMap((component: DrawnComponent) => [
    component.id,
    ...partsOf(component).map(({ id }) => id),
  ]);
  const expected = new Set(own);
  for (const { componentId, status } of last.components)
    if (status !== "NOT_DEPLOYED") expected.add(componentId);
  const rootKnown = last.root !== undefined && last.root.status !== "NOT_DEPLOYED";
  if (descriptor.infrastructureTemplateId !== undefined || rootKnown) expected.add(unitId);
  const reported = plan.operations.map(({ componentId }) => componentId);
  const isExact = reported.length === expected.size && reported.every((id) => expected.has(id));
  return isExact ? [] : [`tells ${reported.join(" ")} instead of ${[...expected].join(" ")}`];
}

/** KO exactly when something would end deployed over something that does not. */
function outcome(facts: Facts): string[] {
  const { plan } = facts;
  const inConflict = new Set<string>();
  for (const { componentId: id } of nodesOf(plan)) {
    if (!endsDeployed(facts, id)) continue;
    for (const need of effectiveNeeds(facts, id)) {
      if (endsWhole(facts, need)) continue;
      inConflict.add(id);
      inConflict.add(need);
    }
  }
  const reported = new Set(plan.conflictingOperations.map(({ componentId }) => componentId));
  const found: string[] = [];
  if (!isDeepStrictEqual(reported, inConflict))
    found.push(`conflicts ${[...reported].join(" ")}, not ${[...inConflict].join(" ")}`);
  for (const { componentId: id, reason } of plan.conflictingOperations) {
    const isOpen = !facts.scenario.targets.some(({ componentId }) => componentId === id);
    const mayMove = isOpen && (facts.scenario.mode === "autofill" || id === unitId);
    if (mayMove && reason === "PRESERVED")
      found.push(`${id} is left in a conflict that moving it would solve`);
  }
  if ((plan.outcome === "KO") !== inConflict.size > 0) found.push(`outcome ${plan.outcome}`);
  return found;
}

function nodesOf(plan: ProvisioningPlan): PlannedChange[] {
  return plan.operations.filter(({ componentId }) => !isPart(componentId));
}

/** Subcomponents of the component that the state knows, whatever the descriptor has. */
function knownParts({ scenario }: Facts, id: string): string[] {
  return scenario.last.components
    .map(({ componentId }) => componentId)
    .filter((each) => each.startsWith(`${id}:`));
}

/** Those of the descriptor that have calls of their own, each with the component or subcomponent whose call comes before. */
function ownCalls(component: DrawnComponent): { part: DrawnComponent; ownerId: string }[] {
  const walk = (parent: DrawnComponent, ownerId: string): { part: DrawnComponent; ownerId: string }[] =>
    (parent.components ?? []).flatMap((part) =>
      hasOwnCall(part) ? [{ part, ownerId }, ...walk(part, part.id)] : walk(part, ownerId),
    );
  return walk(component, component.id);
}

/** Subcomponents follow their component, and are never left behind. */
function parts(facts: Facts): string[] {
  const { plan, changes, scenario } = facts;
  const found: string[] = [];
  const drawn = new Map(scenario.descriptor.components.map((component) => [component.id, component]));
  for (const { componentId: id, action } of nodesOf(plan)) {
    const component = drawn.get(id);
    const described = component === undefined ? [] : ownCalls(component).map(({ part }) => part.id);
    for (const part of new Set([...described, ...knownParts(facts, id)])) {
      const change = changes.get(part);
      const isThere = currentOf(facts, part) !== "NOT_DEPLOYED";
      if (!described.includes(part) && change !== undefined && isProvision(change) && partIsOwn(facts, part))
        found.push(`${part} is deployed although the descriptor does not have it`);
      if (action === "NONE") continue;
      const goes = action === "UNDEPLOY" || !described.includes(part);
      const isAbsorbed = action !== "UNDEPLOY" && !partIsOwn(facts, part);
      if (isAbsorbed) continue;
      if (goes && isThere && change?.action !== "UNDEPLOY")
        found.push(`${part} is left when ${id} is ${action}`);
      if (!goes && (change === undefined || !isProvision(change)))
        found.push(`${part} is not deployed with ${id}`);
    }
  }
  return found;
}

/** Whether the descriptor has the subcomponent with a call of its own, or does not have it at all. */
function partIsOwn({ scenario }: Facts, id: string): boolean {
  const part = scenario.descriptor.components.flatMap(partsOf).find((each) => each.id === id);
  return part === undefined || hasOwnCall(part);
}

/** After the owner and before it goes; and what waits for a component waits for its subcomponents. */
function partOrder(facts: Facts): string[] {
  const { plan, changes, scenario } = facts;
  const { tasks } = buildTaskGraph(plan);
  const found: string[] = [];
  const reaches = new Map<string, Set<string>>();
  for (const { key, dependsOn } of tasks)
    reaches.set(
      key,
      new Set([...dependsOn, ...dependsOn.flatMap((other) => [...(reaches.get(other) ?? [])])]),
    );
  const keys = new Set(tasks.map(({ key }) => key));
  const expectOrder = (later: string, earlier: string) => {
    const isMissing = keys.has(later) && keys.has(earlier) && reaches.get(later)?.has(earlier) !== true;
    if (isMissing) found.push(`${later} does not wait for ${earlier}`);
  };
  for (const component of scenario.descriptor.components) {
    for (const { part, ownerId } of ownCalls(component)) {
      if (isProvision(changes.get(part.id)!) && !keys.has(`validate:${part.id}`))
        found.push(`${part.id} is not validated`);
      expectOrder(`provision:${part.id}`, `provision:${ownerId}`);
      for (const need of part.dependsOn) expectOrder(`provision:${part.id}`, `provision:${need}`);
      for (const { componentId: id } of nodesOf(plan)) {
        const isAbove = isProvision(changes.get(id)!) && newNeeds(facts, id).includes(component.id);
        if (isAbove) expectOrder(`provision:${id}`, `provision:${part.id}`);
      }
    }
  }
  for (const { componentId, ownerId } of scenario.last.components) {
    if (ownerId === undefined) continue;
    expectOrder(`unprovision:${ownerId}`, `unprovision:${componentId}`);
    expectOrder(`unprovision:${componentId}`, `provision:${ownerId}`);
  }
  return found;
}

/** Explicit targets stay, unsafe preserves the rest, and autofill moves only what has a reason to move. */
function requests(facts: Facts): string[] {
  const { scenario, plan } = facts;
  const targetsById = new Map(scenario.targets.map((target) => [target.componentId, target]));
  const found: string[] = [];
  for (const { componentId: id, action, reason } of nodesOf(plan)) {
    const target = targetsById.get(id);
    const ends = endsDeployed(facts, id);
    const isRemoved = reason === "REMOVED_FROM_DESCRIPTOR";
    if (isRemoved !== (action === "UNDEPLOY" && !isInDescriptor(facts, id)))
      found.push(`${id} ${action}/${reason}`);
    if (isRemoved) continue;
    if (target !== undefined && ends !== (target.targetStatus === "DEPLOYED"))
      found.push(`${id} ignores its target`);
    if (target === undefined && scenario.mode === "unsafe" && id !== unitId && action !== "NONE") {
      found.push(`unsafe moves ${id}`);
    }
    if (reason === "REQUIRED_BY_DEPENDANT") {
      const isNeeded = nodesOf(plan).some(
        (other) =>
          (endsDeployed(facts, other.componentId) && effectiveNeeds(facts, other.componentId).includes(id)) ||
          // What was deployed without one of its subcomponents may be deployed anew after it was met as it stood.
          (other.reason === "REQUIRED_BY_DEPENDANT" &&
            other.action === "REDEPLOY" &&
            oldNeeds(facts, other.componentId).includes(id)),
      );
      if (!isNeeded) found.push(`${id} is deployed for nobody`);
    }
    if (reason === "DEPENDENCY_UNDEPLOYED" && oldNeeds(facts, id).every((need) => endsWhole(facts, need))) {
      found.push(`${id} is undeployed for nothing`);
    }
  }
  return found;
}

function isInDescriptor({ scenario }: Facts, id: string): boolean {
  if (id === unitId) return scenario.descriptor.infrastructureTemplateId !== undefined;
  return scenario.descriptor.components.some((component) => component.id === id);
}

/** The operations of an autofill preview, sent back as the targets of a strict start, give the same plan. */
function copies({ input, plan }: Facts): string[] {
  if (input.mode !== "autofill") return [];
  const targets: RequestedTarget[] = plan.operations.map(({ componentId, targetStatus, action }) => ({
    componentId,
    targetStatus,
    action,
  }));
  const copy = planProvisioning({ ...input, targets, mode: "strict" });
  if (copy.problems !== undefined) return [`the copy is refused: ${copy.problems[0]!.message}`];
  const actions = ({ operations }: ProvisioningPlan) =>
    operations.map(({ componentId, action }) => `${componentId} ${action}`);
  const isSame = copy.outcome === plan.outcome && isDeepStrictEqual(actions(copy), actions(plan));
  return isSame ? [] : [`the copy gives ${actions(copy).join(", ")} instead of ${actions(plan).join(", ")}`];
}

/** Acyclic, and ordered as the dependencies demand. */
function taskOrder(facts: Facts): string[] {
  const { plan, changes } = facts;
  const { tasks } = buildTaskGraph(plan);
  const found: string[] = [];
  const reaches = new Map<string, Set<string>>();
  for (const { key, dependsOn } of tasks) {
    if (reaches.has(key)) found.push(`two tasks ${key}`);
    const reached = new Set<string>();
    for (const other of dependsOn) {
      reached.add(other);
      const further = reaches.get(other);
      // A task may wait for earlier ones of the list only: then the graph has no cycle.
      if (further === undefined) found.push(`${key} waits for ${other}, which does not come before it`);
      else for (const far of further) reached.add(far);
    }
    reaches.set(key, reached);
  }
  const taskOf = (id: string) => (isProvision(changes.get(id)!) ? `provision:${id}` : `unprovision:${id}`);
  const expectOrder = (later: string, earlier: string) => {
    const isOrdered = reaches.get(taskOf(later))?.has(taskOf(earlier)) === true;
    if (!isOrdered) found.push(`${taskOf(later)} does not wait for ${taskOf(earlier)}`);
  };
  const ids = nodesOf(plan).map(({ componentId }) => componentId);
  const active = ids.filter((id) => changes.get(id)!.action !== "NONE");
  const isMixed = hasCycle(ids, (id) => effectiveNeeds(facts, id));
  const isOldMixed = hasCycle(ids, (id) => oldNeeds(facts, id));
  for (const id of active) {
    if (isProvision(changes.get(id)!)) {
      const direct = newNeeds(facts, id).filter((need) => isProvision(changes.get(need)!));
      const needs = isMixed ? direct : behind(facts, id);
      for (const need of needs) expectOrder(id, need);
    } else {
      for (const above of active) {
        const isBound = isProvision(changes.get(above)!) || !isOldMixed;
        if (above !== id && isBound && oldNeeds(facts, above).includes(id)) expectOrder(id, above);
        if (id === unitId && above !== id) expectOrder(id, above);
      }
    }
  }
  const provisions = active.filter((id) => isProvision(changes.get(id)!)).length;
  const called = plan.operations.filter(
    ({ componentId, action }) =>
      isPart(componentId) &&
      (partIsOwn(facts, componentId)
        ? action !== "NONE"
        : action === "UNDEPLOY" && currentOf(facts, componentId) !== "NOT_DEPLOYED"),
  );
  const deployed = called.filter(isProvision).length;
  // Each deployment has its validation besides.
  const expected = active.length + provisions + called.length + deployed;
  if (tasks.length !== expected) found.push("tasks do not match the actions");
  return found;
}

/** Deployed nodes that `id` needs, directly or through nodes that are left alone. */
function behind(facts: Facts, id: string): Set<string> {
  const result = new Set<string>();
  const passed = new Set<string>();
  const pending = newNeeds(facts, id);
  for (let need = pending.pop(); need !== undefined; need = pending.pop()) {
    if (passed.has(need)) continue;
    passed.add(need);
    const change = facts.changes.get(need)!;
    if (isProvision(change)) result.add(need);
    else if (change.action === "NONE") pending.push(...effectiveNeeds(facts, need));
  }
  return result;
}

function hasCycle(ids: readonly string[], needsOf: (id: string) => string[]): boolean {
  const state = new Map<string, "open" | "done">();
  const visit = (id: string): boolean => {
    if (state.has(id)) return state.get(id) === "open";
    state.set(id, "open");
    const isCyclic = needsOf(id).some((need) => visit(need));
    state.set(id, "done");
    return isCyclic;
  };
  return ids.some((id) => visit(id));
}

/** What is left when every task succeeds, and what further requests make of it. */
function endState(facts: Facts, draw: Draw): string[] {
  const { plan, input, scenario } = facts;
  const ids = nodesOf(plan).map(({ componentId }) => componentId);
  const watch =
    !hasCycle(ids, (id) => oldNeeds(facts, id)) && !hasCycle(ids, (id) => effectiveNeeds(facts, id));
  const { state, faults } = execute(plan, scenario.last, { pick: draw, fails: () => false, watch });
  const found = [...faults];
  const deployed = new Set(
    state.components.filter(({ status }) => status === "DEPLOYED").map((c) => c.componentId),
  );
  for (const { componentId, dependsOn = [], status } of state.components) {
    if (status !== "DEPLOYED") continue;
    for (const need of dependsOn) {
      const isConcern = facts.changes.has(need) && need !== unitId;
      // No rule keeps a component from being left alone whose own subcomponents contradict each other.
      if (isPart(componentId) && (currentOf(facts, need) !== "DEPLOYED" || !partIsOwn(facts, need))) continue;
      if (isConcern && !deployed.has(need)) found.push(`${componentId} ends deployed over ${need}`);
    }
  }
  // What was removed is unknown to a second request.
  const targets = scenario.targets.filter(({ componentId }) => isInDescriptor(facts, componentId));
  const settled = planProvisioning({ ...input, targets, last: state, preventRedeploy: true });
  found.push(...expectActions("after success", settled, (change) => change.action === "NONE"));

  const all = (targetStatus: RequestedTarget["targetStatus"]): RequestedTarget[] =>
    scenario.descriptor.components.map(({ id }) => ({ componentId: id, targetStatus }));
  const whole = { ...input, mode: "strict" as const, preventRedeploy: false };
  const down = planProvisioning({ ...whole, last: state, targets: all("NOT_DEPLOYED") });
  found.push(
    ...expectActions("undeploy all", down, ({ action }) => action === "UNDEPLOY" || action === "NONE"),
  );
  if (down.problems !== undefined || down.outcome === "KO") return found;
  const empty = execute(down, state, { pick: draw, fails: () => false }).state;
  const left = [...empty.components, ...(empty.root === undefined ? [] : [empty.root])];
  const isRootLeft = scenario.descriptor.components.length === 0 && empty.root !== undefined;
  if (left.some(({ status }) => status !== "NOT_DEPLOYED") && !isRootLeft)
    found.push("undeploy all leaves something");
  const up = planProvisioning({ ...whole, last: empty, targets: all("DEPLOYED") });
  const first = planProvisioning({ ...whole, last: { components: [] }, targets: all("DEPLOYED") });
  if (!isRootLeft && !isDeepStrictEqual(responseOf(up), responseOf(first)))
    found.push("deploy all is not as the first time");
  found.push(
    ...expectActions(
      "deploy all",
      up,
      ({ action }) => action === "DEPLOY" || isRootLeft || scenario.descriptor.components.length === 0,
    ),
  );
  return found;
}

type Result = ReturnType<typeof planProvisioning>;

function responseOf(result: Result): unknown {
  return result.problems === undefined ? planResponse(result) : result.problems;
}

function expectActions(what: string, result: Result, isFine: (change: PlannedChange) => boolean): string[] {
  if (result.problems !== undefined) return [`${what}: ${result.problems[0]!.message}`];
  if (result.outcome === "KO") return [`${what}: KO`];
  const wrong = result.operations.find((change) => !isFine(change));
  return wrong === undefined ? [] : [`${what}: ${wrong.componentId} ${wrong.action}/${wrong.reason}`];
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFrozen(part);
  return value;
}
