/** Units and requests that between them have every shape a plan can take; each is run through every helper. */
import type { ProvisioningBody } from "../../src/coordinator/starts/acceptance/request-schema.ts";
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import { dump } from "js-yaml";
import type { ExternalService } from "../../src/coordinator/context.ts";
import type { Policies } from "../../src/coordinator/ports.ts";
import { createPolicyStub } from "./policy-stub.ts";
import type { Lane } from "./lane.ts";

export const environment = "development";
export const templateId = "urn:test:itm:mock:1";
/** Leads to the same adapter, which is asked by POST /v2/validate then. */
export const asyncTemplateId = "urn:test:itm:mock:async";

export interface PlanFixture {
  name: string;
  /** Brings the unit into the state that the plan starts from. */
  before?: (unitId: string) => ProvisioningBody;
  /** The operation on the unit; where there is none, `accept` makes another kind of plan. */
  body?: (unitId: string) => ProvisioningBody;
  accept?: (lane: Lane, unitId: string) => Promise<string>;
  /** Told at the end, under these paths of the lane's service. */
  services?: readonly ExternalService[];
  /** That the plan is checked against. */
  policies?: Policies;
  /** How the adapter plays the components; the others are done at once. */
  allRequested?: Record<string, RequestedBehaviour>;
}

export interface Part {
  id: string;
  dependsOn: string[];
  version: string;
}

export const part = (id: string, dependsOn: string[] = [], version = "1"): Part => ({
  id,
  dependsOn,
  version,
});

interface UnitOptions {
  /** The unit is provisioned itself, before its components. */
  hasRoot?: boolean;
  version?: string;
}

export const descriptor = (unitId: string, parts: Part[], options: UnitOptions = {}): object => ({
  id: unitId,
  name: unitId,
  version: options.version ?? "1.0",
  environment,
  ...(options.hasRoot ? { infrastructureTemplateId: templateId } : {}),
  components: parts.map(({ id, dependsOn, version }) => ({
    id,
    name: `Part ${id}`,
    kind: "storage",
    consumable: true,
    infrastructureTemplateId: templateId,
    dependsOn,
    specific: { version },
  })),
});

export interface Wanted extends UnitOptions {
  status?: "DEPLOYED" | "NOT_DEPLOYED";
  preventRedeploy?: boolean;
  removeData?: boolean;
}

export const request = (unitId: string, parts: Part[], wanted: Wanted = {}): ProvisioningBody => ({
  descriptor: descriptor(unitId, parts, wanted),
  targetStatus: parts.map(({ id }) => ({ componentId: id, targetStatus: wanted.status ?? "DEPLOYED" })),
  removeData: wanted.removeData ?? false,
  preventRedeploy: wanted.preventRedeploy ?? false,
});

const chain = [part("a"), part("b", ["a"]), part("c", ["b"]), part("d", ["c"])];
const diamond = [part("a"), part("b", ["a"]), part("c", ["a"]), part("d", ["b", "c"])];
const wide = [part("a"), ...["b", "c", "d", "e", "f", "g"].map((id) => part(id))];
const layered = ["a", "b", "c"].flatMap((layer, depth) =>
  [0, 1, 2].map((place) =>
    part(
      `${layer}${place}`,
      depth === 0 ? [] : [place, (place + 1) % 3].map((other) => `${"abc"[depth - 1]}${other}`),
    ),
  ),
);
const asynchronous: RequestedBehaviour = {
  mode: "async",
  runningPolls: 2,
  logs: { lines: 1, style: "growing" },
};

/** Accepts the plan of the fixture. */
export function accept(
  lane: Lane,
  { name, body, accept: other, services, policies }: PlanFixture,
  unitId: string,
) {
  if (other) return other(lane, unitId);
  if (!body) throw new Error(`The fixture ${name} accepts nothing.`);
  return lane.start(body(unitId), { services, policies });
}

let accessRequests = 0;

const external = (id: string, isBlocking: boolean): ExternalService => ({
  id,
  name: `The ${id}`,
  baseUrl: `/${id}`,
  isBlocking,
});

export const planFixtures: PlanFixture[] = [
  { name: "single", body: (unit) => request(unit, [part("a")]) },
  { name: "chain", body: (unit) => request(unit, chain) },
  { name: "diamond", body: (unit) => request(unit, diamond) },
  { name: "wide", body: (unit) => request(unit, wide) },
  { name: "layered", body: (unit) => request(unit, layered) },
  {
    name: "asynchronous",
    body: (unit) => request(unit, diamond),
    allRequested: { a: asynchronous, b: asynchronous, d: { ...asynchronous, runningPolls: 0 } },
  },
  {
    // b is dropped and d moves from it to a; c has changed.
    name: "removed",
    before: (unit) => request(unit, [part("a"), part("b", ["a"]), part("c", ["a"]), part("d", ["b"])]),
    body: (unit) => request(unit, [part("a"), part("c", ["a"], "2"), part("d", ["a"])], { version: "2.0" }),
    allRequested: { c: asynchronous },
  },
  {
    name: "unprovision",
    before: (unit) => request(unit, diamond),
    body: (unit) => request(unit, diamond, { status: "NOT_DEPLOYED", removeData: true }),
    allRequested: { b: asynchronous },
  },
  { name: "root", body: (unit) => request(unit, diamond.slice(0, 2), { hasRoot: true }) },
  {
    name: "unprovision with root",
    before: (unit) => request(unit, diamond.slice(0, 2), { hasRoot: true }),
    body: (unit) => request(unit, diamond.slice(0, 2), { hasRoot: true, status: "NOT_DEPLOYED" }),
  },
  {
    name: "empty",
    before: (unit) => request(unit, chain.slice(0, 2)),
    body: (unit) => request(unit, chain.slice(0, 2), { preventRedeploy: true }),
  },
  {
    name: "external services",
    body: (unit) => request(unit, chain.slice(0, 2)),
    services: [external("market", true), external("news", false)],
    allRequested: { a: asynchronous },
  },
  {
    name: "policies",
    before: (unit) => request(unit, chain.slice(0, 2)),
    body: (unit) => request(unit, [part("a", [], "2"), part("b", ["a"]), part("c", ["b"])]),
    policies: createPolicyStub(),
    allRequested: { c: asynchronous },
  },
  {
    name: "access",
    before: (unit) => request(unit, [part("a")]),
    accept: (lane, unit) =>
      lane.access({
        dataProductUrn: unit,
        outputPortId: 1,
        outputPortUrn: "a",
        requestId: `request-${++accessRequests}`,
        identities: ["user:ada", "group:ops"],
        environment,
      }),
    allRequested: { a: { operations: { updateacl: asynchronous } } },
  },
  {
    name: "reverse provisioning",
    accept: (lane) =>
      lane.reverse({ useCaseTemplateId: "reverse", infrastructureTemplateIds: [templateId], environment }),
    allRequested: { reverse: asynchronous },
  },
  {
    name: "validation",
    accept: (lane, unit) => {
      const { components, ...rest } = descriptor(unit, diamond) as { components: object[] };
      const [first, second, ...others] = components.map((component) => ({
        ...component,
        infrastructureTemplateId: asyncTemplateId,
      }));
      const plain = { ...others[0], infrastructureTemplateId: templateId };
      return lane.validate(dump({ ...rest, components: [first, second, plain] }));
    },
    allRequested: { a: asynchronous },
  },
];

/** `npm test` has the other kinds of plans, where as much can happen; these run nightly. */
export const hasManyTasks = ({ name }: PlanFixture): boolean => ["wide", "layered", "removed"].includes(name);
