/** After any sequence of calls the rows, retained tables and granted readers are those that a small model predicts. */
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { testDatabase } from "../../../test/support/database.ts";
import { picture, readersOf, useAdapter } from "./db-testdata.ts";
import { column, port, storage, unitOf } from "./testdata.ts";

const { adapter } = useAdapter(testDatabase);
const unit = unitOf([
  storage("s", [column("id", "INT")]),
  port("p", "s", { columns: [column("id", "INT")] }),
]);

interface Model {
  /** Rows of the live table, null when it is not deployed. */
  rows: number | null;
  retained: number | null;
  /** Readers of the view, null when it is not deployed. */
  readers: string[] | null;
}

type Step =
  | { do: "provision"; name: "s" | "p" }
  | { do: "unprovision"; name: "s" | "p"; removeData: boolean }
  | { do: "acl"; refs: string[] }
  | { do: "insert" };

const name = fc.constantFrom("s" as const, "p" as const);
const refs = fc.subarray(["user:ada", "user:bob", "group:ops"]);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: name.map((each): Step => ({ do: "provision", name: each })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(name, fc.boolean())
      .map(([each, removeData]): Step => ({ do: "unprovision", name: each, removeData })),
  },
  { weight: 3, arbitrary: refs.map((each): Step => ({ do: "acl", refs: each })) },
  { weight: 3, arbitrary: fc.constant<Step>({ do: "insert" }) },
);
/** Every sequence starts with something deployed and filled, so that the rest has an effect. */
const start: Step[] = [{ do: "provision", name: "s" }, { do: "insert" }, { do: "provision", name: "p" }];

/** Changes the model; false when the call must be refused. */
function expectStep(model: Model, taken: Step): boolean {
  if (taken.do === "insert") {
    if (model.rows !== null) model.rows += 1;
    return true;
  }
  if (taken.do === "acl") {
    if (model.readers === null) return false;
    model.readers = [...taken.refs].sort();
    return true;
  }
  if (taken.name === "p") {
    if (taken.do === "unprovision") model.readers = null;
    else if (model.rows === null) return false;
    else model.readers ??= [];
    return true;
  }
  if (taken.do === "provision") {
    model.rows ??= model.retained ?? 0;
    model.retained = null;
    return true;
  }
  if (model.rows !== null && model.readers !== null) return false;
  model.retained = taken.removeData ? null : (model.rows ?? model.retained);
  model.rows = null;
  return true;
}

async function takeStep(taken: Step, model: Model): Promise<number> {
  if (taken.do === "insert") {
    if (model.rows !== null) await adapter.rows("INSERT INTO fleet.s VALUES (1)");
    return 200;
  }
  if (taken.do === "acl") return (await adapter.updateAcl(unit, "p", taken.refs)).status;
  if (taken.do === "provision") return (await adapter.provision(unit, taken.name)).status;
  return (await adapter.unprovision(unit, taken.name, taken.removeData)).status;
}

async function count(table: string): Promise<number | null> {
  const [row] = await adapter.rows(`SELECT to_regclass('fleet.${table}') IS NOT NULL AS there`);
  return row.there ? (await adapter.rows(`SELECT count(*)::int AS n FROM fleet.${table}`))[0].n : null;
}

test("sequences of calls, each repeated, end where the model ends", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      await adapter.rows("DROP SCHEMA IF EXISTS fleet CASCADE; DROP SCHEMA IF EXISTS plinth_adapter CASCADE");
      const model: Model = { rows: null, retained: null, readers: null };
      for (const taken of [...start, ...steps]) {
        const status = await takeStep(taken, model);
        expect({ taken, status }).toEqual({ taken, status: expectStep(model, taken) ? 200 : 400 });
        const after = await picture(adapter);
        if (taken.do !== "insert") {
          expect(await takeStep(taken, model)).toBe(status);
          expect(await picture(adapter), "a repeat changes nothing").toEqual(after);
        }
        expect({
          rows: await count("s"),
          retained: await count("s__kept_1"),
          readers: (await count("p")) === null ? null : await readersOf(adapter, "p"),
        }).toEqual(model);
      }
    }),
    { numRuns: 20 },
  );
});
