/** Entities that are made from templates and changed by edit and reverse provisioning templates, over a whole server. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readFiles } from "../../src/builder/actions/testdata.ts";
import { packArchive } from "../../src/platform/archive/write-archive.ts";
import { hostileText } from "../../src/builder/descriptors/entities/testdata.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import { startWholeServer, until, type Answer, type TestRole, type WholeServer } from "../support/server.ts";
import { callAs } from "./edit-calls.ts";
import { freePort } from "../support/http-peer.ts";

const exec = promisify(execFile);
const templates = fileURLToPath(new URL("entity-templates", import.meta.url));
const systemRef = "system:default/finance.cashflow.0";

let server: WholeServer;
let folder = "";
let adapter: Recorder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-edits-"));
  const port = await freePort();
  server = await startWholeServer({
    configure(config) {
      config.server.port = port;
      config.mesh.builder.catalogue.folders = [templates];
    },
  });
  adapter = await startRecorder();
  const registration = { id: "urn:dmb:itm:mock:1", name: "mock", description: "It records.", version: "1" };
  for (const environment of ["development", "production"]) {
    const body = { ...registration, url: adapter.url, environment };
    expect((await call("operator", "/api/builder/register", body)).status).toBe(200);
  }
  const target = join(templates, "all.yaml");
  const registered = await call("admin", "/api/catalog/locations", { type: "file", target });
  expect(registered.status, registered.text).toBe(201);
});
afterAll(async () => {
  await server.close();
  await adapter.close();
  await rm(folder, { recursive: true, force: true });
});

const call = (as: TestRole, path: string, body?: object): Promise<Answer> =>
  callAs(server, { as, path, body });

const start = (body: object, as: TestRole = "operator"): Promise<Answer> =>
  call(as, "/api/builder/templates/instantiate", body);

async function ended(started: Answer): Promise<any> {
  expect(started.status, started.text).toBe(200);
  const { body } = await until(
    () => call("operator", `/api/builder/templates/tasks/${started.body.id}`),
    (answer) => ["completed", "failed", "cancelled"].includes(answer.body.status),
  );
  return body;
}

async function completed(started: Answer): Promise<any> {
  const task = await ended(started);
  expect([task.status, task.error]).toEqual(["completed", null]);
  return task;
}

let made = 0;

/** Makes an output port and answers its reference. */
async function makePort(values: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  const task = await completed(
    await start({
      templateRef: "template:default/ledger-port",
      values: {
        name: `Ledger ${made}`,
        description: "All entries",
        dataproduct: systemRef,
        identifier: `finance.cashflow.0.ledger-${made}`,
        schemaDefinition: { schemaColumns: [{ name: "amount" }] },
        ...values,
      },
    }),
  );
  return task.output.entityRef;
}

async function clone(entityRef: string): Promise<Record<string, string>> {
  const name = entityRef.slice(entityRef.indexOf("/") + 1);
  const place = await mkdtemp(join(folder, "clone-"));
  const url = `${server.url}/git/${name}.git`.replace("://", `://x:${server.token("viewer")}@`);
  await exec("git", ["clone", "-q", url, place]);
  const files = Object.entries(await readFiles(place)).filter(([path]) => !path.startsWith(".git/"));
  return Object.fromEntries(files);
}

async function descriptorOf(entityRef: string, environment = "development"): Promise<any> {
  const preview = await call("developer", "/api/builder/descriptor/preview", { systemRef, environment });
  expect(preview.status, preview.text).toBe(200);
  const id = `urn:dmb:cmp:${entityRef.slice(entityRef.indexOf("/") + 1).replaceAll(".", ":")}`;
  return preview.body.descriptor.components.find((each: any) => each.id === id);
}

const form = (entityRef: string, templateRef: string): Promise<Answer> =>
  call(
    "operator",
    `/api/builder/templates/form?${new URLSearchParams({ entityRef, templateRef }).toString()}`,
  );

const editPort = "edittemplate:default/edit-ledger-port";
const editStore = "edittemplate:default/edit-ledger-store.1";
const reverse = "reverseprovisioningtemplate:default/reverse-provisioning-ledger-port-template.1";

it("keeps a skeleton a skeleton, and writes no secret beside it", async () => {
  const entityRef = await makePort({ name: "My Ledger", token: "s3cr3t-canary" });
  const files = await clone(entityRef);
  const skeleton = join(templates, "port/skeleton");
  expect(files["catalog-info.yaml"]).toBe(await readFile(join(skeleton, "catalog-info.yaml"), "utf8"));
  expect(files["README.md"]).toBe("# My Ledger\n");
  expect(JSON.stringify(files)).not.toContain("s3cr3t-canary");
  expect(files["parameters.yaml"]).toContain("slug: ${{ parameters.name | lower");
  expect(await descriptorOf(entityRef, "production")).toMatchObject({
    name: "My Ledger",
    version: "0.0.0",
    specific: { slug: "my-ledger", bucket: "my-ledger-prod-ledger", region: "none" },
  });
});

/** What YAML takes within quotes: the skeleton has the texts written by `dump`, as JSON. */
const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g, "");

it("keeps every text that a user has typed, from the wizard to the descriptor", async () => {
  const texts = fc.sample(hostileText, { numRuns: 60, seed: 20261122 }).filter((text) => text.trim() !== "");
  for (let from = 0; from < texts.length; from += 20) {
    const own = ["${{ 40+2 }}", ...texts.slice(from, from + 20)].map(printable);
    const notes = Object.fromEntries(own.map((text, index) => [`n${index}`, text]));
    const description = own[from % own.length] ?? "";
    const entityRef = await makePort({ description, notes });
    const component = await descriptorOf(entityRef);
    expect(component.description).toBe(description);
    expect(component.specific.notes).toEqual(notes);
    // The configuration of the environment is a template that sees the same text.
    expect(component.specific.described).toBe(description);
    expect(await builtFromFiles(await clone(entityRef))).toMatchObject({
      description,
      specific: { notes, described: description },
    });
  }
});

async function builtFromFiles(files: Record<string, string>): Promise<any> {
  const product = await readFile(join(templates, "product.yaml"), "utf8");
  const own = Object.entries(files).map(([path, text]) => [`port/${path}`, text]);
  const archive = await packArchive({ "product/catalog-info.yaml": product, ...Object.fromEntries(own) });
  const body = new FormData();
  body.set("environment", "development");
  body.set("archive", new Blob([new Uint8Array(archive)]), "a.tar.gz");
  const response = await fetch(`${server.url}/api/builder/descriptor`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token("developer")}` },
    body,
  });
  const { descriptor } = (await response.json()) as any;
  return descriptor.components[0];
}

it("lists the forms of an entity, and fills one with what the entity has", async () => {
  const entityRef = await makePort({ description: "A ${{ 1 + 1 }}", name: "Prefilled" });
  const query = new URLSearchParams({ entityRef }).toString();
  const { body: list } = await call("viewer", `/api/builder/templates/forms?${query}`);
  expect(list.data).toEqual([
    {
      templateRef: editPort,
      kind: "edit",
      title: "Ledger Output Port Edit Template",
      description: "Edit a ledger output port",
    },
    {
      templateRef: reverse,
      kind: "reverse",
      title: "Ledger Output Port",
      description: "Import the metadata of a table.",
    },
  ]);
  const { status, body } = await form(entityRef, editPort);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    kind: "edit",
    entityRef,
    revision: expect.stringMatching(/^[0-9a-f]{40}$/),
    values: {
      name: "Prefilled",
      description: "A ${{ 1 + 1 }}",
      schemaDefinition: { schemaColumns: [{ name: "amount", dataType: "INT" }] },
    },
    environmentOverrides: {
      development: { bucketPrefix: "prefilled-dev" },
      production: { bucketPrefix: "prefilled-prod" },
    },
  });
  expect(body.values).not.toHaveProperty("slug");
  expect(body.steps.map((step: any) => [step.title, step.environmentParameters])).toEqual([
    ["Update Output Port", false],
    ["Update component metadata", false],
    ["Data contract schema", false],
    ["Environment Configuration", true],
  ]);
});

it("publishes an edit to a branch, which is accepted once and for all", async () => {
  const entityRef = await makePort({ name: "Edited" });
  const { body: opened } = await form(entityRef, editPort);
  const before = await clone(entityRef);
  const task = await completed(
    await start({
      templateRef: editPort,
      entityRef,
      revision: opened.revision,
      values: {
        ...opened.values,
        description: "Entries with {% raw %} tax: ${{ 40+2 }}",
        schemaDefinition: {
          schemaColumns: [
            { name: "amount", dataType: "INT" },
            { name: "day", dataType: "DATE" },
          ],
        },
      },
      environmentOverrides: { production: { region: "eu-west-1" } },
    }),
  );
  expect(task.entityRef).toBe(entityRef);
  expect(task.output).toMatchObject({
    entityRef,
    changed: true,
    targetBranch: "main",
    baseCommit: opened.revision,
    branch: expect.stringMatching(/^edit\/finance-cashflow-0-ledger-\d+-[0-9a-f]{12}$/),
    changedFiles: ["parameters.yaml"],
    patch: expect.stringContaining("+      - name: day"),
  });
  // Nothing has changed for others yet.
  expect(await clone(entityRef)).toEqual(before);
  const accept = () => call("operator", `/api/builder/templates/tasks/${task.id}/accept`, {});
  for (const { status, body } of [await accept(), await accept()])
    expect([status, body]).toEqual([200, { entityRef, branch: "main", commitHash: task.output.commitHash }]);
  const after = await clone(entityRef);
  expect(after["catalog-info.yaml"]).toBe(before["catalog-info.yaml"]);
  expect(after["parameters.yaml"]).toContain("slug: ${{ parameters.name | lower");
  expect(await descriptorOf(entityRef, "production")).toMatchObject({
    name: "Edited",
    description: "Entries with {% raw %} tax: ${{ 40+2 }}",
    dataContract: { schema: [{ name: "amount" }, { name: "day", dataType: "DATE" }] },
    specific: { region: "eu-west-1", bucket: "edited-prod-ledger", slug: "edited" },
  });
  // What the creation template derives from the parameters has followed them.
  const { body: entity } = await call(
    "viewer",
    `/api/catalog/entities/by-name/component/default/${entityRef.split("/")[1]}`,
  );
  expect(entity.metadata.description).toBe("Entries with {% raw %} tax: ${{ 40+2 }}");
});

it("answers 409 where an edit has met another commit", async () => {
  const entityRef = await makePort();
  const { body: opened } = await form(entityRef, editPort);
  const edit = (description: string) => ({
    templateRef: editPort,
    entityRef,
    revision: opened.revision,
    values: { description },
  });
  const first = await completed(await start(edit("first")));
  const second = await completed(await start(edit("second")));
  const accept = (task: any) => call("operator", `/api/builder/templates/tasks/${task.id}/accept`, {});
  expect((await accept(first)).status).toBe(200);
  for (const answer of [await accept(second), await start(edit("third"))]) {
    expect([answer.status, answer.body.error.code]).toEqual([409, "BUILDER_EDIT_CONFLICT"]);
  }
  expect((await descriptorOf(entityRef)).description).toBe("first");
  // Without a revision the edit is made from what is there now.
  const task = await completed(await start({ ...edit("fourth"), revision: undefined }));
  expect((await accept(task)).status).toBe(200);
  const same = await completed(await start({ ...edit("fourth"), revision: undefined }));
  expect(same.output).toMatchObject({ changed: false });
});

it("refuses what is not the caller's, not editable, or not asked for, with every problem", async () => {
  const entityRef = await makePort({ owner: "service:default/developer" });
  const others = await makePort();
  const request = { templateRef: editPort, entityRef, values: {} };
  const cases: [string, object, TestRole, number, string, string[]][] = [
    [
      "no entity",
      { ...request, entityRef: undefined },
      "operator",
      400,
      "BUILDER_INVALID_INSTANTIATION",
      ["/entityRef"],
    ],
    [
      "an unknown entity",
      { ...request, entityRef: "component:a" },
      "operator",
      404,
      "BUILDER_ENTITY_NOT_FOUND",
      ["entityRef"],
    ],
    [
      "a template for others",
      { ...request, templateRef: editStore },
      "operator",
      404,
      "BUILDER_UNKNOWN_TEMPLATE",
      [],
    ],
    [
      "the entity of others",
      { ...request, entityRef: others },
      "developer",
      403,
      "BUILDER_ENTITY_NOT_YOURS",
      [],
    ],
    [
      "an old revision",
      { ...request, revision: "0".repeat(40) },
      "operator",
      409,
      "BUILDER_EDIT_CONFLICT",
      [],
    ],
    [
      "wrong values",
      {
        ...request,
        values: { name: "Other", description: 3, dataproduct: null },
        environmentOverrides: { production: {}, moon: {} },
        environment: "development",
      },
      "operator",
      400,
      "BUILDER_INVALID_INSTANTIATION",
      [
        "/environment",
        "/environmentOverrides/moon",
        "/environmentOverrides/production/region",
        "/values/dataproduct",
        "/values/description",
        "/values/name",
      ],
    ],
    [
      "a reverse provisioning without an environment",
      { ...request, templateRef: reverse },
      "operator",
      400,
      "BUILDER_INVALID_INSTANTIATION",
      ["/environment", "/values/database"],
    ],
  ];
  for (const [what, body, as, status, code, places] of cases) {
    const answer = await start(body, as);
    const found = (answer.body.error?.problems ?? []).map(({ where }: { where: string }) => where).toSorted();
    expect([what, answer.status, answer.body.error?.code, found]).toEqual([what, status, code, places]);
  }
  expect((await start({ ...request, values: { description: "mine" } }, "developer")).status).toBe(200);
});

it("edits an entity from before skeletons with the steps of its edit template, and keeps what they do not name", async () => {
  const { output } = await completed(
    await start({ templateRef: "template:default/ledger-store", values: { name: "vault" } }),
  );
  const { entityRef } = output;
  const task = await completed(
    await start({
      templateRef: editStore,
      entityRef,
      values: { prefixPath: "/ledger/", description: "Kept: ${{ 1 }}" },
    }),
  );
  expect((await call("operator", `/api/builder/templates/tasks/${task.id}/accept`, {})).status).toBe(200);
  const place = await mkdtemp(join(folder, "clone-"));
  const url = `${server.url}/git/store-vault.git`.replace("://", `://x:${server.token("viewer")}@`);
  await exec("git", ["clone", "-q", url, place]);
  const text = await readFile(join(place, "catalog-info.yaml"), "utf8");
  expect(text).toContain("# Made from a template before there were skeletons.");
  expect(text).toContain("# nothing yet");
  expect(await descriptorOf(entityRef)).toMatchObject({
    description: "Kept: ${{ 1 }}",
    specific: { prefixPath: "/ledger/", keep: "this" },
  });
  const { body } = await form(entityRef, editStore);
  expect(body.values).toEqual({ prefixPath: "/ledger/", description: "Kept: ${{ 1 }}" });
});

it("asks the adapter what exists, and makes a change for review of it", async () => {
  const entityRef = await makePort({ name: "Imported" });
  const updates = {
    "spec.mesh.dataContract.schema": [{ name: "booked", dataType: "DATE" }],
    "witboost.parameters.schemaDefinition.schemaColumns": [{ name: "booked", dataType: "DATE" }],
    "witboost.parameters.description": "Says ${{ 7 }}",
  };
  const answer = (given: object): void =>
    void adapter.answers.set("/v1/reverse-provisioning", {
      status: 200,
      body: { status: "COMPLETED", updates: given },
    });
  answer(updates);
  const task = await completed(
    await start({
      templateRef: reverse,
      entityRef,
      environment: "development",
      values: { database: "books" },
    }),
  );
  expect(task.output).toMatchObject({
    changedFiles: ["parameters.yaml"],
    leftOut: ["spec.mesh.dataContract.schema"],
  });
  const asked = adapter.calls.find(({ path }) => path === "/v1/reverse-provisioning");
  expect(asked?.body).toMatchObject({
    useCaseTemplateId: "urn:dmb:utm:ledger-port-template:0.0.0",
    environment: "development",
    params: {
      database: "books",
      tables: [],
      environmentSpecificConfig: { specific: { described: "All entries" } },
    },
    catalogInfo: { kind: "Component", spec: { mesh: { name: "Imported" } } },
  });
  expect((await call("operator", `/api/builder/templates/tasks/${task.id}/accept`, {})).status).toBe(200);
  expect(await descriptorOf(entityRef)).toMatchObject({
    description: "Says ${{ 7 }}",
    dataContract: { schema: [{ name: "booked", dataType: "DATE" }] },
  });
  answer({ "metadata.name": "another" });
  const refused = await ended(
    await start({
      templateRef: reverse,
      entityRef,
      environment: "development",
      values: { database: "books" },
    }),
  );
  expect([refused.status, refused.error]).toEqual([
    "failed",
    expect.stringContaining('"metadata.name" identifies the entity'),
  ]);
});
