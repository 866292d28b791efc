import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../../src/platform/db/migrations/migrate.ts";
import { seededRandom } from "../crash/random.ts";
import { emptyTestDatabase, type TestDatabase } from "../support/database.ts";
import { faults, migrateToBefore, readMigrated, storeTrees } from "./migrated.ts";
import { drawTree, type Tree } from "./trees.ts";

let db: TestDatabase;

const seed = 20_261_122;
const random = seededRandom(seed);
const drawn = Array.from({ length: 150 }, (_, number) =>
  drawTree((max) => Math.floor(random() * (max + 1)), number),
);

const grant = (componentId: string, identity: string, at: number, environment = "development") => ({
  environment,
  componentId,
  identity,
  at,
});

/** A parent that is not consumable over a folder with one collection and a collection beside it. */
const store: Tree = {
  unitId: "unit:store",
  environments: ["development", "production"],
  components: [
    {
      id: "Store",
      consumable: false,
      children: [
        { id: "Store:Folder", children: [{ id: "Store:Folder:Deep", consumable: true, children: [] }] },
        {
          id: "Store:Top",
          kind: "outputport",
          children: [{ id: "Store:Top:Leaf", consumable: true, children: [] }],
        },
        { id: "Store:Log", kind: "workload", children: [] },
      ],
    },
    { id: "Job", kind: "workload", children: [] },
  ],
  grants: [
    grant("Store", "user:ada", 10),
    grant("Store", "user:bob", 30, "production"),
    grant("Store:Folder:Deep", "user:ada", 20),
    grant("Store:Top", "user:ada", 5),
    grant("Job", "user:ada", 1),
  ],
};

beforeAll(async () => {
  db = await emptyTestDatabase();
  const { database } = db;
  await migrateToBefore(database);
  await storeTrees(database.pool, [store, ...drawn]);
  await database.pool.query(
    `insert into unit_components (unit_key, environment, component_key, component_id, parent_key, status,
       infrastructure_template_id, descriptor, hash, plan_id)
     values ('unit:store', 'development', 'store:called', 'Store:Called', 'store', 'DEPLOYED', 'own', '{}', '', 'before')`,
  );
  await database.pool.query(
    `insert into acls (unit_key, environment, component_key, component_id, identity, request_id)
     values ('unit:store', 'development', 'nothing', 'Nothing', 'user:ada', 'before')`,
  );
  await migrate(database);
});
afterAll(() => db.drop());

const read = async (text: string): Promise<unknown[]> => (await db.database.pool.query(text)).rows;

describe("access to what is not consumable", () => {
  it("moves to the first consumable parts of each branch, with the earliest date, in each environment", async () => {
    expect(
      await read(
        `select environment as at, component_id as id, identity, extract(minute from granted_at)::int as minute
         from acls where unit_key = 'unit:store' order by 1, 2, 3`,
      ),
    ).toEqual([
      { at: "development", id: "Store:Folder:Deep", identity: "user:ada", minute: 10 },
      { at: "development", id: "Store:Top", identity: "user:ada", minute: 5 },
      { at: "production", id: "Store:Folder:Deep", identity: "user:bob", minute: 30 },
      { at: "production", id: "Store:Top", identity: "user:bob", minute: 30 },
    ]);
  });

  it("is put aside where nothing below is consumable, or nothing is known of it", async () => {
    expect(
      await read("select component_id as id from acls_unresolved where unit_key = 'unit:store' order by 1"),
    ).toEqual([{ id: "Job" }, { id: "Nothing" }]);
  });

  it("leaves the audit what was given and taken", async () => {
    expect(
      await read(
        `select operation, subject, detail ->> 'identity' as who from audit
         where subject like 'component:Store%@development' or subject like 'component:Job@%' order by 1, 2`,
      ),
    ).toEqual([
      { operation: "revokeAccess", subject: "component:Job@development", who: "user:ada" },
      { operation: "revokeAccess", subject: "component:Store@development", who: "user:ada" },
    ]);
  });

  it(`keeps who reaches what, on random trees of the seed ${seed}`, async () => {
    const migrated = await readMigrated(db.database.pool);
    expect(drawn.map((tree) => faults(tree, migrated)).filter((found) => found.length > 0)).toEqual([]);
  });
});

it("a subcomponent whose adapter was never asked is not deployed any more", async () => {
  expect(await read("select status from unit_components where component_key = 'store:called'")).toEqual([
    { status: "NOT_DEPLOYED" },
  ]);
});

it("the database refuses access to what is not consumable, and to take that from what somebody has access to", async () => {
  const insert = (key: string) =>
    db.database.pool.query(
      `insert into acls (unit_key, environment, component_key, component_id, identity, request_id)
       values ('unit:store', 'development', $1, $1, 'user:eve', 'r')`,
      [key],
    );
  await expect(insert("store")).rejects.toMatchObject({ constraint: "acls_component" });
  await insert("store:top:leaf");
  await expect(
    db.database.pool.query(
      "update unit_components set consumable = false where component_key = 'store:top:leaf'",
    ),
  ).rejects.toMatchObject({ constraint: "acls_component" });
});
