import { Readable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { Failure } from "../../platform/errors/failure.ts";
import { systemActor } from "../../platform/lib/actor.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import { createRenderer } from "../renderer.ts";
import { defaultArchiveLimits } from "./archive-limits.ts";
import { packArchive } from "../../platform/archive/write-archive.ts";
import { buildDescriptor, type DescriptorDeps } from "./service.ts";

const renderer = createRenderer({ workers: 1, stepTimeoutMs: 300 });
afterAll(() => renderer.close());

const deps: DescriptorDeps = {
  environments: ["development", "production"],
  namespace: "dmb",
  limits: defaultArchiveLimits,
  renderTimeoutMs: 300,
  renderer,
};
const ctx = {
  actor: systemActor,
  now: () => new Date(0),
  log: silentLogger,
  signal: new AbortController().signal,
  requestId: "test",
  traceparent: "",
};

const build = async (
  files: Record<string, string>,
  environment = "development",
  more: Partial<DescriptorDeps> = {},
) =>
  buildDescriptor(
    ctx,
    { archive: Readable.from([await packArchive(files)]), environment },
    { ...deps, ...more },
  );

const refused = async (
  files: Record<string, string>,
  environment?: string,
  more?: Partial<DescriptorDeps>,
) => {
  const failure = await build(files, environment, more).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof Failure)) throw new Error("the build was not refused", { cause: failure });
  return failure;
};

const system = `kind: System
metadata: { name: fleet.positions.0, description: Where the fleet is }
spec:
  type: dataproduct
  owner: group:default/fleet
  domain: domain:default/fleet
  mesh: { name: Fleet positions, version: 0.1.0, dataProductOwner: "user:default/ada" }
`;
const component = (name: string, mesh = "{}", more = ""): string => `kind: Component
metadata: { name: fleet.positions.0.${name} }
spec: { type: storage, system: "system:default/fleet.positions.0", mesh: ${mesh} }
${more}`;

const slow =
  "%SKELETON\nx: ${{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | replace(r/^(a+)+$/, '') }}\n";

describe("buildDescriptor", () => {
  it("builds one descriptor from static and skeleton entities", async () => {
    const { descriptor, warnings } = await build(
      {
        "README.md": "ignored",
        ".github/workflow.yaml": "ignored",
        "view/catalog-info.yaml": `%SKELETON\r\n${component("${{ values.name }}", '{ dependsOn: ["storage"], specific: { view: "${{ env.view }}" } }')}`,
        "view/parameters.yaml":
          'parameters: { name: View }\nvalues: { name: "${{ parameters.name | lower }}" }\nenvironmentParameters: { development: { view: dev_view }, production: { view: prod_view } }',
        "view/environments/production/configurations.yaml": "version: 2.0.0",
        "storage/catalog-info.yaml": component("storage", "{ specific: { table: a, keep: b } }"),
        "storage/environments/development/configurations.yaml": "specific: { table: ${{ environment }}_a }",
        "fleet/catalog-info.yaml": `\uFEFF${system}`,
      },
      "development",
    );
    expect(warnings).toEqual([]);
    expect(descriptor).toEqual({
      name: "Fleet positions",
      version: "0.1.0",
      environment: "development",
      id: "urn:dmb:dp:fleet:positions:0",
      projectKind: "system",
      kind: "dataproduct",
      domain: "fleet",
      domainId: "urn:dmb:dmn:fleet",
      description: "Where the fleet is",
      projectOwner: "user:default/ada",
      projectOwnerDisplayName: "ada",
      dataProductOwner: "user:default/ada",
      dataProductOwnerDisplayName: "ada",
      devGroup: "group:default/fleet",
      ownerGroup: "group:default/fleet",
      metadata: { name: "fleet.positions.0", description: "Where the fleet is" },
      components: [
        {
          kind: "storage",
          id: "urn:dmb:cmp:fleet:positions:0:storage",
          name: "storage",
          version: "0.0.0",
          dependsOn: [],
          specific: { table: "development_a", keep: "b" },
        },
        {
          kind: "storage",
          id: "urn:dmb:cmp:fleet:positions:0:view",
          name: "view",
          version: "0.0.0",
          dependsOn: ["urn:dmb:cmp:fleet:positions:0:storage"],
          specific: { view: "dev_view" },
        },
      ],
    });
  });

  it("builds a system without components", async () => {
    expect((await build({ "s/catalog-info.yaml": system })).descriptor).toMatchObject({ components: [] });
  });

  it("uses the taxonomy that it is given", async () => {
    const readTaxonomy = async () => ({
      systemTypes: { dataproduct: { resourceType: "mart", taxonomy: "mesh" } },
      componentTypes: { storage: { consumable: false, shoppable: true } },
    });
    const files = { "s/catalog-info.yaml": system, "c/catalog-info.yaml": component("c") };
    expect((await build(files, "production", { readTaxonomy })).descriptor).toMatchObject({
      kind: "mart",
      environment: "production",
      taxonomy: { id: "urn:dmb:taxonomy:mesh", name: "mesh" },
      components: [{ kind: "storage", consumable: false, shoppable: true }],
    });
  });

  it("warns of a second system and uses the first by name", async () => {
    const { warnings, descriptor } = await build({
      "t/catalog-info.yaml": "kind: system\nmetadata: { name: x.y.0 }",
      "s/catalog-info.yaml": system,
    });
    expect(descriptor).toMatchObject({ id: "urn:dmb:dp:fleet:positions:0" });
    expect(warnings).toEqual(["The archive holds 2 systems; s is used, ignored: t."]);
  });

  it("keeps keys that pollute prototypes harmless", async () => {
    const mesh =
      '{ "__proto__": { polluted: 1 }, constructor: { prototype: { polluted: 1 } }, specific: { "__proto__": { x: 1 } } }';
    const { json } = await build({
      "s/catalog-info.yaml": system,
      "c/catalog-info.yaml": component("c", mesh),
      "c/environments/development/configurations.yaml": '"__proto__": { polluted: 2 }\nspecific: { a: 1 }',
    });
    expect(json.toString()).not.toContain("__proto__");
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it("collects the problems of every entity, the archive and the environment", async () => {
    const failure = await refused(
      {
        "s/catalog-info.yaml": system,
        "a/catalog-info.yaml": "kind: [",
        "b/catalog-info.yaml": component("b", "{ dependsOn: [gone] }"),
        "c/notes.txt": "no entity",
        "d/catalog-info.yaml": "kind: API\nmetadata: { name: x }",
        "e/catalog-info.yaml": component("e").replace("fleet.positions.0.e", "fleet.routes.0.e"),
        "../f/catalog-info.yaml": "x",
      },
      "staging",
    );
    expect(failure).toMatchObject({ kind: "invalid", code: "BUILDER_INVALID_ARCHIVE" });
    expect(failure.problems.map((problem) => problem.where)).toEqual([
      "/environment",
      "../f/catalog-info.yaml",
      "a/catalog-info.yaml:1:8",
      "c",
      "d/catalog-info.yaml#/kind",
      "e/catalog-info.yaml#/metadata/name",
    ]);
    expect(failure.problems[0]?.solution).toBe("Use one of development, production.");
    expect(failure.problems[3]?.message).toBe("The directory c has no catalog-info.yaml.");
  });

  it.each<[string, Record<string, string>, [string, RegExp][]]>([
    ["only top-level files", { "catalog-info.yaml": system }, [["/archive", /no entity directory/]]],
    ["no system", { "c/catalog-info.yaml": component("c") }, [["/archive", /holds a System/]]],
    [
      "a dependency that is no sibling",
      { "s/catalog-info.yaml": system, "c/catalog-info.yaml": component("c", "{ dependsOn: [gone] }") },
      [["c/catalog-info.yaml#/dependsOn", /urn:dmb:cmp:fleet:positions:0:gone/]],
    ],
    [
      "the same name in two directories",
      {
        "s/catalog-info.yaml": system,
        "c/catalog-info.yaml": component("c"),
        "d/catalog-info.yaml": component("c"),
      },
      [["d/catalog-info.yaml#", /already taken by c/]],
    ],
  ])("refuses %s", async (_case, files, expected) => {
    const { problems } = await refused(files);
    expect(problems.map((problem) => problem.where)).toEqual(expected.map(([where]) => where));
    expected.forEach(([, message], index) => expect(problems[index]?.message).toMatch(message));
  });

  it("gives up a file that takes too long and says which, with the other problems", async () => {
    const { problems } = await refused({
      "a/catalog-info.yaml": "kind: [",
      "b/catalog-info.yaml": slow,
      "s/catalog-info.yaml": system,
    });
    expect(problems).toEqual([
      { where: "a/catalog-info.yaml:1:8", message: expect.stringMatching(/unexpected end/) },
      { where: "b/catalog-info.yaml", message: "The file was given up: it took longer than 300 ms." },
    ]);
  });

  it("does not wait for every one of many slow files", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`d${index + 10}/catalog-info.yaml`, slow]),
    );
    const { problems } = await refused(files);
    expect(problems.filter((problem) => /given up/.test(problem.message)).length).toBeLessThanOrEqual(6);
    expect(problems.filter((problem) => /not looked at/.test(problem.message)).length).toBeGreaterThan(30);
  });

  it("limits the list of problems and the size of the descriptor", async () => {
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`d${index + 10}/x`, ""]));
    const many = await refused(files, "development", { limits: { ...defaultArchiveLimits, maxProblems: 5 } });
    expect(many.problems.map((problem) => problem.where)).toEqual([
      "d10",
      "d11",
      "d12",
      "d13",
      "d14",
      "/archive",
    ]);
    expect(many.problems[5]?.message).toBe("15 more problems are not listed.");
    const large = await refused({ "s/catalog-info.yaml": system }, "development", {
      limits: { ...defaultArchiveLimits, maxDescriptorBytes: 100 },
    });
    expect(large.problems.map((problem) => problem.message)).toEqual([
      "With this entity the descriptor is larger than 100 bytes.",
    ]);
  });

  it("builds 300 entities in the order of their dependencies", async () => {
    const files: Record<string, string> = { "s/catalog-info.yaml": system };
    for (let index = 0; index < 300; index += 1) {
      const needs = index === 299 ? "[]" : `[c${index + 1}]`;
      files[`c${index}/catalog-info.yaml`] = component(`c${index}`, `{ dependsOn: ${needs} }`);
    }
    const { descriptor } = await build(files);
    const { components } = descriptor as { components: { name: string }[] };
    expect(components.map(({ name }) => name)).toEqual(
      Array.from({ length: 300 }, (_, index) => `c${299 - index}`),
    );
  });
});
