import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { LiveColumn } from "../live-schema.ts";
import type { Column } from "../descriptor/types.ts";
import { planTableChanges } from "./table-changes.ts";
import type { TableChange } from "./table-changes.ts";

const types = ["integer", "bigint", "text", "character varying(5)", "boolean"];
const column: fc.Arbitrary<Column> = fc
  .record({
    name: fc.constantFrom("a", "b", "c", "d"),
    type: fc.constantFrom(...types),
    constraint: fc.constantFrom("none", "notNull", "primaryKey", "unique"),
  })
  .map(({ name, type, constraint }) => ({
    name,
    type,
    notNull: constraint === "notNull" || constraint === "primaryKey",
    primaryKey: constraint === "primaryKey",
    unique: constraint === "unique",
    description: undefined,
    pointer: `/c/${name}`,
  }));
const columns = fc.uniqueArray(column, { minLength: 1, maxLength: 4, selector: ({ name }) => name });

const liveOf = (declared: Column[]): LiveColumn[] =>
  declared.map(({ name, type, notNull, primaryKey, unique }) => ({
    name,
    type,
    notNull,
    primaryKey,
    unique,
    description: null,
  }));

/** What PostgreSQL would hold after the changes, in their order. */
function apply(live: LiveColumn[], changes: TableChange[]): LiveColumn[] {
  let result = live.map((each) => ({ ...each }));
  const set = (name: string, values: Partial<LiveColumn>): void => {
    const found = result.find((each) => each.name === name);
    expect(found, `${name} exists when it is changed`).toBeDefined();
    Object.assign(found ?? {}, values);
  };
  for (const change of changes) {
    if (change.change === "addColumn")
      result.push(...liveOf([{ ...change.column, primaryKey: false, unique: false }]));
    else if (change.change === "dropColumn") result = result.filter(({ name }) => name !== change.name);
    else if (change.change === "changeType") set(change.name, { type: change.type });
    else if (change.change === "setPrimaryKey")
      for (const name of change.names) set(name, { primaryKey: true, notNull: true });
    else if (change.change === "dropPrimaryKey") for (const each of result) each.primaryKey = false;
    else if (change.change === "dropNotNull") {
      expect(result.find(({ name }) => name === change.name)?.primaryKey).toBe(false);
      set(change.name, { notNull: false });
    } else if (change.change === "setNotNull") set(change.name, { notNull: true });
    else set(change.name, { unique: change.change === "addUnique" });
  }
  return result;
}

const sorted = (live: LiveColumn[]): LiveColumn[] => [...live].sort((a, b) => (a.name < b.name ? -1 : 1));

test("an empty table can become any other, in an order that PostgreSQL takes", () => {
  fc.assert(
    fc.property(columns, columns, (before, after) => {
      const plan = planTableChanges(liveOf(before), after, { hasRows: false, pointer: "" });
      expect(plan.problems).toEqual([]);
      expect(sorted(apply(liveOf(before), plan.changes))).toEqual(sorted(liveOf(after)));
    }),
    { numRuns: 2000 },
  );
});

test("what is as declared needs nothing", () => {
  fc.assert(
    fc.property(columns, fc.boolean(), (same, hasRows) => {
      expect(planTableChanges(liveOf(same), same, { hasRows, pointer: "" })).toEqual({
        changes: [],
        problems: [],
      });
    }),
  );
});

test("with rows no column is dropped and no value changed, or there is a problem that says so", () => {
  fc.assert(
    fc.property(columns, columns, (before, after) => {
      const plan = planTableChanges(liveOf(before), after, { hasRows: true, pointer: "" });
      expect(plan.changes.filter(({ change }) => change === "dropColumn")).toEqual([]);
      expect(plan.changes.filter((change) => change.change === "changeType" && !change.keepValues)).toEqual(
        [],
      );
      const dropped = before.filter(({ name }) => after.every((each) => each.name !== name)).length;
      expect(plan.problems.length).toBeGreaterThanOrEqual(dropped);
      for (const problem of plan.problems) expect(problem.solution).toBeTruthy();
    }),
    { numRuns: 2000 },
  );
});
