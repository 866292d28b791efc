/**
 * The lifecycle of a unit over the four miniatures: validated, provisioned, provisioned again, opened to people, read back,
 * undeployed. Every step says what it expects of the product and of what has reached the adapters.
 */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { dump } from "js-yaml";
import { adapterRequestProblems } from "../support/adapter-openapi.ts";
import type { WholeServer } from "../support/server.ts";
import type { Miniatures } from "./miniatures/all.ts";
import { at, type Miniature, type SeenCall } from "./miniatures/server.ts";
import { environment, idOf, provision, runPlan, templateOf, unitOf, type Unit } from "./fixture.ts";

export interface World {
  server: WholeServer;
  miniatures: Miniatures;
  unit: Unit;
}

export type Step = [name: string, run: (world: World) => Promise<void>];

/** A unit of its own for each number, over the same server and adapters. */
export const worldOf = (server: WholeServer, miniatures: Miniatures, number: number): World => ({
  server,
  miniatures,
  unit: unitOf(number),
});

const validate = async ({ server }: World, unit: Unit, more: object = {}) => {
  const body = { descriptor: dump(unit), ...more };
  const answer = await server.coordinator({ method: "POST", path: "/v1/validate", body });
  strictEqual(answer.status, 200, answer.text);
  return answer.body.results as {
    validationPhaseKind: string;
    status: string;
    errors: { errors: string[] };
  }[];
};

const withSpecific = (unit: Unit, name: string, specific: Record<string, unknown>): Unit => ({
  ...unit,
  components: unit.components.map((each) => (each.name === name ? { ...each, specific } : each)),
});

const access = (world: World, name: string, identities: string[]) =>
  runPlan(world.server, "/v1/updateacl", {
    dataProductUrn: world.unit.id,
    outputPortId: 1,
    outputPortUrn: idOf(world.unit, name),
    requestId: `${world.unit.id}-${name}-${identities.length}`,
    identities,
    environment,
  });

const reverse = (world: World, name: keyof Miniatures) =>
  runPlan(world.server, "/v1/reverse-provisioning", {
    useCaseTemplateId: `urn:dmb:utm:miniature-${name}:1`,
    infrastructureTemplateIds: [templateOf(name)],
    environment,
    params: { of: world.unit.id },
    catalogInfo: { spec: { mesh: { name: world.unit.name } } },
  });

const deployedOf = ({
  unit,
  miniatures,
}: World): Record<string, { place: string; times: number } | undefined> =>
  Object.fromEntries(
    unit.components.map(({ id, name }) => {
      const there = Object.values(miniatures).flatMap(({ deployed }) => deployed.get(id) ?? [])[0];
      return [name, there && { place: there.place, times: there.times }];
    }),
  );

const expected = (times: number) => ({
  store: { place: "bucket-store", times },
  load: { place: "bucket-store", times },
  files: { place: "bucket-store/files", times },
  views: { place: "space-views-over-bucket-store/files", times },
});

const isOf =
  (unit: Unit) =>
  ({ text }: SeenCall): boolean =>
    text.includes(unit.id);
const callsTo = (miniature: Miniature, path: string, unit: Unit): SeenCall[] =>
  miniature.calls.filter((call) => call.path === path && isOf(unit)(call));

export const steps: Step[] = [
  [
    "a valid unit is valid for every adapter, in both ways of validation",
    async (world) => {
      const phases = await validate(world, world.unit);
      deepStrictEqual(
        phases.map(({ status }) => status),
        Array.from({ length: 5 }, () => "COMPLETED"),
      );
      const { spring, akka } = world.miniatures;
      strictEqual(callsTo(spring, "/v2/validate", world.unit).length, 1);
      // It says 501 to the second way, and is asked by the first.
      strictEqual(callsTo(akka, "/v1/validate", world.unit).length, 1);
    },
  ],
  [
    "every problem of every adapter is reported",
    async (world) => {
      for (const [index, { name }] of world.unit.components.entries()) {
        const problems = [`${name}: column a is missing`, `${name}: column b has no type`];
        const phases = await validate(world, withSpecific(world.unit, name, { problems }), {
          removeData: true,
        });
        const phase = phases[index + 1];
        deepStrictEqual([phase?.status, phase?.errors.errors], ["FAILED", problems]);
      }
    },
  ],
  [
    "a plan provisions over the info of its dependencies",
    async (world) => {
      strictEqual((await provision(world.server, world.unit)).status, "COMPLETED");
      deepStrictEqual(deployedOf(world), expected(1));
    },
  ],
  [
    "a redeploy goes to every adapter again, with what is known of the first time",
    async (world) => {
      const { unit } = world;
      const changed = { ...withSpecific(unit, "files", { retention: 7 }), version: "1.1.0" };
      strictEqual((await provision(world.server, changed)).status, "COMPLETED");
      deepStrictEqual(deployedOf(world), expected(2));
      const [, second] = callsTo(world.miniatures.akka, "/v1/provision", unit);
      match(String(at(second?.body, "latestEnrichedDescriptor")), /latestProvisioningOperation/);
    },
  ],
  [
    "what an adapter refuses is shown whole, and the next plan goes on from there",
    async (world) => {
      const problems = ["the directory has a bad name", "and no owner"];
      const { spring } = world.miniatures;
      const there = [...world.miniatures.fastapi.deployed];
      const refused = withSpecific(world.unit, "files", { problems });
      const ended = await provision(world.server, refused);
      const { status, result } = ended.results.get(`validate:${idOf(world.unit, "files")}`) ?? {};
      deepStrictEqual([ended.status, status], ["FAILED", "FAILED"]);
      for (const problem of [...problems, "Mend it"]) match(result ?? "", new RegExp(problem));
      deepStrictEqual([...world.miniatures.fastapi.deployed], there);
      strictEqual(spring.deployed.get(idOf(world.unit, "files"))?.times, 2);
    },
  ],
  [
    "access is set, made smaller and taken away, by the info of the provisioning",
    async (world) => {
      const { spring, collection } = world.miniatures;
      for (const [miniature, name] of [
        [spring, "files"],
        [collection, "views"],
      ] as const) {
        for (const identities of [["user:ada", "group:analysts"], ["user:ada"], []]) {
          const { status, results } = await access(world, name, identities);
          strictEqual(status, "COMPLETED", JSON.stringify([...results]));
          deepStrictEqual(miniature.deployed.get(idOf(world.unit, name))?.access, identities);
        }
      }
    },
  ],
  [
    "what is there is read back, and an adapter that cannot says so",
    async (world) => {
      const files = await reverse(world, "spring");
      match(
        [...files.results.values()][0]?.result ?? "",
        /"spec\.mesh\.specific\.directories":\[.*"bucket-store\/files"/,
      );
      const spaces = await reverse(world, "collection");
      match([...spaces.results.values()][0]?.result ?? "", /"spec\.mesh\.specific\.spaces"/);
      const none = await reverse(world, "akka");
      strictEqual(none.status, "FAILED");
      match([...none.results.values()][0]?.result ?? "", /does not support it \(501\)/);
    },
  ],
  [
    "an undeployment finds what it has to remove, those that depend first",
    async (world) => {
      const { unit, miniatures } = world;
      const ended = await provision(world.server, unit, "NOT_DEPLOYED", { removeData: true });
      strictEqual(ended.status, "COMPLETED", JSON.stringify([...ended.results]));
      deepStrictEqual(
        deployedOf(world),
        Object.fromEntries(unit.components.map(({ name }) => [name, undefined])),
      );
      const unprovisions = Object.values(miniatures).flatMap((each) =>
        callsTo(each, "/v1/unprovision", unit),
      );
      deepStrictEqual(
        unprovisions.map(({ body }) => at(body, "removeData")),
        unprovisions.map(() => true),
      );
      const provisions = Object.values(miniatures).flatMap((each) => callsTo(each, "/v1/provision", unit));
      deepStrictEqual(
        provisions.map(({ body }) => at(body, "removeData")),
        provisions.map(() => false),
      );
    },
  ],
];

/** Why requests that reached an adapter are not as the adapter OpenAPI says. */
export function requestProblems(miniatures: Miniatures): string[] {
  return Object.values(miniatures).flatMap(({ name, calls }) =>
    calls.flatMap((call) => adapterRequestProblems(call).map((problem) => `${name}: ${problem}`)),
  );
}
