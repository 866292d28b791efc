/** Deployment units of the stories, all on the mock adapter. */

export const mockAdapterId = "urn:dmb:itm:mock:1";

export interface SomeUnit {
  id: string;
  name: string;
  domain: string;
  version: string;
  environment: string;
  dataProductOwner: string;
  components: { id: string; name: string; kind: string; dependsOn: string[]; [more: string]: unknown }[];
  [more: string]: unknown;
}

export interface UnitOptions {
  domain?: string;
  environment?: string;
  version?: string;
  owner?: string;
  /** What the mock does, by the name of a component: `specific.mock` of its descriptor. */
  mock?: Record<string, object>;
}

/** A unit with a storage, a workload on it, and an output port on that. */
export function unitOf(name: string, options: UnitOptions = {}): SomeUnit {
  const {
    domain = "mobility",
    environment = "development",
    version = "1.0.0",
    owner = "user:default/ada",
    mock = {},
  } = options;
  const idOf = (part: string): string => `urn:dmb:cmp:${domain}:${name}:0:${part}`;
  const part = (short: string, kind: string, dependsOn: string[]): SomeUnit["components"][number] => ({
    id: idOf(short),
    name: short,
    kind,
    version,
    infrastructureTemplateId: mockAdapterId,
    dependsOn: dependsOn.map(idOf),
    consumable: kind === "outputport",
    specific: mock[short] === undefined ? {} : { mock: mock[short] },
  });
  return {
    id: `urn:dmb:dp:${domain}:${name}:0`,
    name,
    kind: "dataproduct",
    domain,
    version,
    environment,
    dataProductOwner: owner,
    ownerGroup: owner,
    components: [
      part("raw", "storage", []),
      part("refine", "workload", ["raw"]),
      part("view", "outputport", ["refine"]),
    ],
  };
}

export const startPath = (unit: SomeUnit): string =>
  `/api/coordinator/v2/deployment-units/${unit.id}/provisioning?environment=${unit.environment}`;

export const startBody = (unit: SomeUnit): object => ({
  descriptor: unit,
  targetStatus: unit.components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" })),
});
