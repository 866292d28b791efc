/** Every row of a component is written by one task of a plan at most, however the descriptor has moved its parts. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { planOf, template } from "../../../../test/properties/planner-fixture.ts";
import { ownCallIds } from "../../planning/descriptor/own-calls.ts";
import { idKey } from "../../ids.ts";
import type { RequestedTarget } from "../../planning/model.ts";
import type { SnapshotMember } from "../../execution/types.ts";
import type { ComponentRow } from "../../units/store.ts";
import { newTasks } from "./new-plan.ts";

const ids = ["a", "b", "c", "d", "e", "f"] as const;

/** Where an id is: a component, or nested in an earlier one, with an adapter of its own or not; or nowhere. */
const place = fc.record({
  isThere: fc.boolean(),
  parent: fc.option(fc.nat(ids.length - 1), { nil: null }),
  isCalled: fc.boolean(),
});
const places = fc.tuple(...ids.map(() => place));
const statuses = fc.tuple(...ids.map(() => fc.constantFrom("DEPLOYED", "NOT_DEPLOYED", null)));

interface Node {
  id: string;
  name: string;
  dependsOn: string[];
  infrastructureTemplateId?: string;
  components: Node[];
}

function componentsOf(
  drawn: readonly { isThere: boolean; parent: number | null; isCalled: boolean }[],
): Node[] {
  const nodes = new Map<number, Node>();
  const top: Node[] = [];
  for (const [index, { isThere, parent, isCalled }] of drawn.entries()) {
    if (!isThere) continue;
    const id = ids[index]!;
    const owner = parent !== null && parent < index ? nodes.get(parent) : undefined;
    const called = isCalled || owner === undefined ? { infrastructureTemplateId: template } : {};
    const node: Node = { id, name: id, dependsOn: [], ...called, components: [] };
    nodes.set(index, node);
    (owner?.components ?? top).push(node);
  }
  return top;
}

const adapters = new Map([[template, { adapterId: template, url: "http://mock", properties: null }]]);

interface Wanted {
  components: Node[];
  known: ComponentRow[];
  targets: RequestedTarget[];
}

function tasksOf({ components, known, targets }: Wanted) {
  const byKey = new Map(known.map((row) => [row.key, row]));
  const called = known.filter((row) => row.parentKey === null || row.infrastructureTemplateId !== null);
  const last = {
    components: called.map((row) => ({
      componentId: row.id,
      status: row.status,
      hash: row.hash,
      dependsOn: row.dependsOn,
      infrastructureTemplateId: template,
      deployedOrder: row.position,
      ownerId: called.find(({ key }) => key === row.parentKey)?.id,
      isIncomplete:
        row.parentKey === null &&
        !ownCallIds(row.descriptor, row.id).every((id) => byKey.get(idKey(id))?.status === "DEPLOYED"),
    })),
  };
  const plan = planOf({ components: components as never, last, targets, mode: "autofill" });
  if (plan.problems !== undefined || plan.outcome !== "OK") return [];
  const { unit } = plan.planGraph;
  return newTasks({ planId: "p", plan, unit, known, adapters, componentTypes: {}, hasPolicies: false });
}

const membersOf = (tasks: ReturnType<typeof tasksOf>): SnapshotMember[] =>
  tasks.flatMap(({ snapshot }) => snapshot?.members ?? []);

const asRow = (member: SnapshotMember): ComponentRow => ({
  ...member,
  status: "DEPLOYED",
  info: null,
  lastOperation: null,
  planId: "p0",
  updatedAt: new Date(0),
});

it("no key is in two tasks, and what goes with a component is in one", () => {
  fc.assert(
    fc.property(places, places, statuses, (before, after, status) => {
      const first = componentsOf(before);
      const all = first.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" as const }));
      const known = membersOf(tasksOf({ components: first, known: [], targets: all })).map(asRow);
      const components = componentsOf(after);
      const top = new Set(components.map(({ id }) => id));
      const targets = ids.flatMap((componentId, index): RequestedTarget[] => {
        const targetStatus = status[index];
        return targetStatus && top.has(componentId) ? [{ componentId, targetStatus }] : [];
      });
      const tasks = tasksOf({ components, known, targets });
      const keys = membersOf(tasks).map(({ key }) => key);
      expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
      const atWork = new Set(tasks.flatMap(({ snapshot, component_key: key }) => (snapshot ? [key] : [])));
      const going = known.filter(
        ({ parentKey, infrastructureTemplateId }) =>
          infrastructureTemplateId === null && atWork.has(parentKey),
      );
      for (const { key } of going) expect(keys).toContain(key);
    }),
    { numRuns: 500 },
  );
});
