/** A collection whose parts have an adapter of their own: each part is provisioned for itself, within its parent. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Miniature } from "./miniatures/server.ts";
import { at } from "./miniatures/server.ts";
import { environment, idOf, provision, runPlan, templateOf, unitOf, type Unit } from "./fixture.ts";
import type { Step, World } from "./story.ts";

const part = (unit: Unit, name: string, specific: object = {}) => ({
  id: `${idOf(unit, "views")}:${name}`,
  name,
  kind: "outputport",
  version: "1.0.0",
  infrastructureTemplateId: templateOf("collection"),
  dependsOn: [],
  consumable: true,
  specific,
});

/** Beside the unit of the same number, which has no parts. */
function collectionOf({ unit }: World, parts: Record<string, object> = { daily: {}, weekly: {} }): Unit {
  const other = unitOf(Number(unit.name.replace("unit-", "")) + 100_000);
  const views = other.components.find(({ name }) => name === "views");
  const components = Object.entries(parts).map(([name, specific]) => part(other, name, specific));
  return { ...other, components: views ? [{ ...views, dependsOn: [], components }] : [] };
}

const partsThere = (adapter: Miniature, unit: Unit): Record<string, string> =>
  Object.fromEntries(
    [...adapter.deployed]
      .filter(([id]) => id.startsWith(idOf(unit, "views")))
      .map(([id, { place, times }]) => [id.slice(id.lastIndexOf(":") + 1), `${place} ${times}`]),
  );

const callsOf = (adapter: Miniature, path: string, unit: Unit): string[] =>
  adapter.calls
    .filter((call) => call.path === path && call.text.includes(unit.id))
    .map(({ body }) => /componentIdToProvision: (\S+)/.exec(String(at(body, "descriptor")))?.[1] ?? "");

const statusOf = async ({ server }: World, id: string, unit: Unit): Promise<string> => {
  const path = `/v1/deployment-units/${unit.id}/components/${id}/provisioning-status?environment=${environment}`;
  return (await server.coordinator({ path })).body.status as string;
};

export const subcomponentSteps: Step[] = [
  [
    "parts with an adapter of their own are validated and provisioned, after their parent and within it",
    async (world) => {
      const unit = collectionOf(world);
      const { collection } = world.miniatures;
      strictEqual((await provision(world.server, unit)).status, "COMPLETED");
      const space = "space-views-over-nothing 1";
      deepStrictEqual(partsThere(collection, unit), { views: space, daily: space, weekly: space });
      const views = idOf(unit, "views");
      strictEqual(callsOf(collection, "/v1/provision", unit)[0], views);
      deepStrictEqual(
        callsOf(collection, "/v1/validate", unit).toSorted(),
        [views, `${views}:daily`, `${views}:weekly`].toSorted(),
      );
    },
  ],
  [
    "a part is redeployed with its parent, and opened by its own info",
    async (world) => {
      const unit = collectionOf(world, { daily: { days: 1 }, weekly: {} });
      const { collection } = world.miniatures;
      strictEqual((await provision(world.server, unit)).status, "COMPLETED");
      const space = "space-views-over-nothing 2";
      deepStrictEqual(partsThere(collection, unit), { views: space, daily: space, weekly: space });
      const daily = `${idOf(unit, "views")}:daily`;
      const { status, results } = await runPlan(world.server, "/v1/updateacl", {
        dataProductUrn: unit.id,
        outputPortId: 1,
        outputPortUrn: daily,
        requestId: `${unit.id}-daily`,
        identities: ["user:ada"],
        environment,
      });
      strictEqual(status, "COMPLETED", JSON.stringify([...results]));
      deepStrictEqual(collection.deployed.get(daily)?.access, ["user:ada"]);
      deepStrictEqual(collection.deployed.get(idOf(unit, "views"))?.access, []);
    },
  ],
  [
    "a part whose validation fails stops the plan",
    async (world) => {
      const unit = collectionOf(world, { daily: { problems: ["the view has no query"] }, weekly: {} });
      const { status, results } = await provision(world.server, unit);
      strictEqual(status, "FAILED");
      match(results.get(`validate:${idOf(unit, "views")}:daily`)?.result ?? "", /the view has no query/);
    },
  ],
  [
    "parts go before their parent",
    async (world) => {
      const unit = collectionOf(world);
      const { collection } = world.miniatures;
      const ended = await provision(world.server, unit, "NOT_DEPLOYED");
      // The adapter refuses to remove a space that is not empty.
      strictEqual(ended.status, "COMPLETED", JSON.stringify([...ended.results]));
      deepStrictEqual(partsThere(collection, unit), {});
      strictEqual(callsOf(collection, "/v1/unprovision", unit).at(-1), idOf(unit, "views"));
      strictEqual(await statusOf(world, `${idOf(unit, "views")}:daily`, unit), "NOT_DEPLOYED");
    },
  ],
];
