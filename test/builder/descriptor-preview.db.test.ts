/** A descriptor from the catalogue is that of an archive with the same files. */
import { cp, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readTaxonomy } from "../../src/builder/catalogue/descriptor-store.ts";
import { findType } from "../../src/builder/catalogue/entities/taxonomy.ts";
import { packArchive } from "../../src/platform/archive/write-archive.ts";
import { tokenOf, type Answer } from "../support/server.ts";
import { entityText, startCatalogueFixture, type CatalogueFixture } from "./catalogue-fixture.ts";

let fixture: CatalogueFixture;

beforeAll(async () => {
  fixture = await startCatalogueFixture();
});
afterAll(() => fixture.close());

const preview = (systemRef: string, environment: string): Promise<Answer> =>
  fixture.catalog({
    method: "POST",
    base: "/api/builder",
    path: "/descriptor/preview",
    body: { systemRef, environment },
  });

async function buildFromArchive(
  files: Record<string, string | Buffer>,
  environment: string,
): Promise<string> {
  const form = new FormData();
  form.set("environment", environment);
  form.set("archive", new Blob([new Uint8Array(await packArchive(files))]), "a.tar.gz");
  const response = await fetch(`${fixture.server.url}/api/builder/descriptor`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokenOf("developer")}` },
    body: form,
  });
  expect(response.status).toBe(200);
  return response.text();
}

async function filesOf(folder: string): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[relative(folder, path)] = await readFile(path);
  }
  return files;
}

it.each(["development", "production"])(
  "is the same, byte for byte, in %s: the example",
  async (environment) => {
    const example = fileURLToPath(new URL("../../examples/fleet-positions", import.meta.url));
    await cp(example, join(fixture.folder, "fleet"), { recursive: true });
    const registered = await fixture.register("fleet");
    expect([201, 409]).toContain(registered.status);
    const { status, text } = await preview("System:Mobility.fleet-positions.0", environment);
    expect(status).toBe(200);
    expect(text).toBe(await buildFromArchive(await filesOf(example), environment));
  },
);

const skeletons: Record<string, string> = {
  "ships/catalog-info.yaml": `%SKELETON
apiVersion: plinth.io/v1
kind: System
metadata: { name: "\${{ parameters.domain }}.ships.0", description: "\${{ env.note }}" }
spec: { domain: "\${{ parameters.domain }}", type: fleet, owner: user:default/ada, mesh: { name: Ships } }
`,
  "ships/parameters.yaml":
    "parameters: { domain: sea }\nenvironmentParameters: { development: { note: dev }, production: { note: live } }\n",
  "hull/catalog-info.yaml": `%SKELETON
apiVersion: plinth.io/v1
kind: Component
metadata: { name: sea.ships.0.hull }
spec: { system: sea.ships.0, type: table, mesh: { specific: { where: "\${{ environment }}" } } }
`,
  "hull/environments/production/configurations.yaml": "specific: { size: 3 }\n",
  "mast/catalog-info.yaml": `apiVersion: plinth.io/v1
kind: Component
metadata: { name: sea.ships.0.a-mast }
spec: { system: sea.ships.0, type: table, dependsOn: [hull], mesh: { version: 1.2.0 } }
`,
};

it("is the same with skeletons, parameters, configurations and a system type of the catalogue", async () => {
  for (const [path, text] of Object.entries(skeletons)) await fixture.write(`sea/${path}`, text);
  await fixture.write("types.yaml", entityText("SystemType", "fleet", "{ resourceTypeId: convoy }"));
  expect((await fixture.register("types.yaml")).status).toBe(201);
  const registered = await fixture.register("sea");
  expect(registered.status).toBe(201);
  for (const environment of ["development", "production"]) {
    const { status, text, body } = await preview("sea.ships.0", environment);
    expect(status).toBe(200);
    expect(text).toBe(await buildFromArchive(skeletons, environment));
    expect(body.descriptor).toMatchObject({
      kind: "convoy",
      description: environment === "production" ? "live" : "dev",
      components: [
        {
          id: "urn:dmb:cmp:sea:ships:0:hull",
          specific: { where: environment, ...(environment === "production" ? { size: 3 } : {}) },
        },
        { id: "urn:dmb:cmp:sea:ships:0:a-mast", version: "1.2.0" },
      ],
    });
  }
});

/** In the shape of the presets that are published for data meshes. */
const lakehouse: Record<string, string> = {
  "taxonomy.yaml": `apiVersion: example.com/v2
kind: Taxonomy
metadata: { name: lakehouse-taxonomy, displayName: Lakehouse }
spec: { enabled: true }
`,
  "project.yaml": `apiVersion: example.com/v2
kind: SystemType
metadata: { name: lakeproject, displayName: Lake Project }
spec:
  resourceTypeId: lakeproject
  belongsTo: taxonomy:default/lakehouse-taxonomy
  partOfDomain: domaintype:default/data-domain
`,
  "folder.yaml": `apiVersion: example.com/v2
kind: ComponentType
metadata: { name: sharedfolder, displayName: Shared Folder }
spec:
  resourceTypeId: lakefolder
  partOfSystem: systemtype:default/lakeproject
  consumable: true
  shoppable: false
---
apiVersion: example.com/v2
kind: ComponentType
metadata: { name: pipeline }
spec: { resourceTypeId: pipeline, consumable: false, shoppable: false, readsFrom: [componenttype:default/sharedfolder] }
`,
};

const lake: Record<string, string> = {
  "lake/catalog-info.yaml": `apiVersion: example.com/v2
kind: System
metadata: { name: lakes.levels.0 }
spec:
  instanceOf: systemtype:default/lakeproject
  type: lakeproject
  owner: group:default/lakes
  mesh: { devGroup: "group:default/divers", developmentGroup: "group:default/others" }
`,
  "fill/catalog-info.yaml": `apiVersion: example.com/v2
kind: Component
metadata: { name: lakes.levels.0.fill }
spec:
  instanceOf: componenttype:default/pipeline
  type: pipeline
  system: lakes.levels.0
  dependsOn: component:default/lakes.levels.0.shared
`,
  "shared/catalog-info.yaml": `apiVersion: example.com/v2
kind: Component
metadata: { name: lakes.levels.0.shared }
spec:
  instanceOf: componenttype:default/sharedfolder
  type: sharedfolder
  system: lakes.levels.0
  components:
    - { name: north }
    - { name: south, consumable: false }
`,
};

it("says what the taxonomy says where the entities leave it open", async () => {
  for (const [path, text] of Object.entries(lakehouse)) {
    await fixture.write(`lakehouse/${path}`, text);
    expect((await fixture.register(`lakehouse/${path}`)).status).toBe(201);
  }
  for (const [path, text] of Object.entries(lake)) await fixture.write(path.replace("/", "-lake/"), text);
  for (const path of Object.keys(lake)) {
    expect((await fixture.register(path.replace("/", "-lake/"))).body.location).toMatchObject({
      problems: [],
    });
  }
  const { text, body } = await preview("lakes.levels.0", "development");
  expect(text).toBe(await buildFromArchive(lake, "development"));
  expect(body.descriptor).toMatchObject({
    kind: "lakeproject",
    devGroup: "group:default/divers",
    taxonomy: { id: "urn:dmb:taxonomy:lakehouse-taxonomy", name: "lakehouse-taxonomy" },
    components: [
      {
        name: "shared",
        consumable: true,
        shoppable: false,
        components: [
          { name: "north", consumable: true, shoppable: false },
          { name: "south", consumable: false, shoppable: false },
        ],
      },
      { name: "fill", consumable: false, dependsOn: ["urn:dmb:cmp:lakes:levels:0:shared"] },
    ],
  });
  const { db } = fixture.server.db.database;
  const folder = { consumable: true, shoppable: false };
  const { componentTypes } = await readTaxonomy(db);
  expect(findType(componentTypes, "ComponentType:default/SharedFolder")).toEqual(folder);
  expect(findType(componentTypes, "lakefolder")).toEqual(folder);
  expect(findType(componentTypes, "workload of nobody")).toBeUndefined();
});

it("tells every problem of the system's entities", async () => {
  await fixture.write(
    "bad.yaml",
    `${entityText("System", "sea.bad.0")}---\n${entityText("Component", "sea.bad.0.x", "{ system: sea.bad.0, dependsOn: [gone] }")}`,
  );
  await fixture.register("bad.yaml");
  const { status, body } = await preview("system:sea.bad.0", "moon");
  expect([status, body.error.code]).toEqual([400, "BUILDER_INVALID_PREVIEW"]);
  expect(body.error.problems.map(({ where }: { where: string }) => where)).toEqual([
    "/environment",
    "sea.bad.0.x/catalog-info.yaml#/kind",
    "sea.bad.0.x/catalog-info.yaml#/dependsOn",
  ]);
});

it.each(["system:none", "component:default/sea.ships.0.hull", "a:b:c", ""])(
  "has no system %s",
  async (ref) => {
    const { status } = await preview(ref, "development");
    expect(status).toBe(ref === "" ? 400 : 404);
  },
);
