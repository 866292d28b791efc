/**
 * From a template to an edit: a data product of three entities is made of templates and deployed; the edit template of its
 * view changes the description and the columns; the change is looked at, accepted and deployed, and only the view is
 * redeployed. `npm run example:edit` ends with 0 when every step did what it says.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { instantiate, platformAt, type Platform } from "../from-template/platform.ts";
import { freePort, startDataServer, startPlatform, runExample, withClient, type ExampleContext } from "../story.ts";

const environment = "development";
const templates = join(import.meta.dirname, "templates");
const unitId = "urn:dmb:dp:travel:ferries:0";
const viewRef = "component:default/travel.ferries.0.today";
const viewId = "urn:dmb:cmp:travel:ferries:0:today";
const editTemplate = "edittemplate:default/edit-view";
/** Somebody who writes about templates: this is a text like any other. */
const description = "Shows ${{ 40+2 }} ferries {% at most %}";

await runExample("edit", "every step did what it says", async (stage) => runSteps(await raise(stage)));

interface World extends ExampleContext {
  platform: Platform;
  /** Connection of the data product's database, as its owner. */
  database: pg.ClientConfig;
}

async function raise(stage: ExampleContext): Promise<World> {
  const { home, say } = stage;
  const data = await startDataServer(stage);
  const port = await freePort();
  const config = {
    server: { port, baseUrl: `http://127.0.0.1:${port}` },
    mesh: { builder: { catalogue: { folders: [templates] } } },
  };
  await writeFile(join(home, "plinth.yaml"), JSON.stringify(config));
  const platform = platformAt(await startPlatform(stage, data, []));
  for (const name of ["postgres-storage", "postgres-outputport"]) {
    await platform.call("POST", "/api/builder/register", {
      id: `urn:dmb:itm:${name}:1`,
      name,
      description: "The PostgreSQL adapter",
      version: "1",
      url: data.adapterUrl,
      environment,
    });
  }
  say(`the platform listens on ${platform.url}, with the PostgreSQL adapter`);
  return { ...stage, platform, database: { ...data.owner, database: "products" } };
}

async function runSteps(world: World): Promise<void> {
  const { platform, say } = world;
  const target = join(templates, "all.yaml");
  await platform.call("POST", "/api/catalog/locations", { type: "file", target });
  await makeProduct(world);
  const deployed = await deploy(world, await build(world));
  assert.deepEqual(deployed, ["urn:dmb:cmp:travel:ferries:0:departures", viewId]);
  assert.deepEqual(await columnsOf(world), ["ship"]);
  say("deployed a table, and a view of one column");

  await editView(world);
  const descriptor = await build(world);
  const view = descriptor.components.find(({ id }) => id === viewId);
  assert.equal(view?.description, description);
  assert.equal(view?.specific["label"], "try it here");
  assert.deepEqual(await deploy(world, descriptor), [viewId]);
  assert.deepEqual(await columnsOf(world), ["ship", "leaves_at"]);
  say("only the view was redeployed, and it shows the other column");
  assert.deepEqual(await deploy(world, descriptor), []);
  say("deployed once more: nothing has changed, so nothing is redeployed");
}

async function makeProduct({ platform, say }: World): Promise<void> {
  const make = (template: string, values: object) =>
    instantiate(platform, `template:default/${template}`, values, () => {});
  const { entityRef: system } = await make("product", {
    name: "ferries",
    domain: "travel",
    owner: "group:default/harbour",
  });
  const columns = [
    { name: "ship", type: "STRING" },
    { name: "leaves_at", type: "TIMESTAMPZ" },
  ];
  await make("table", { system, name: "departures", columns });
  const { entityRef } = await make("view", {
    system,
    name: "today",
    table: "departures",
    description: "All ferries",
    columns: columns.slice(0, 1),
  });
  assert.equal(entityRef, viewRef);
  say("made a system, a table and a view of templates");
}

interface Descriptor {
  components: { id: string; description: string; specific: Record<string, unknown> }[];
}

async function build({ platform }: World): Promise<Descriptor> {
  const body = { systemRef: "system:default/travel.ferries.0", environment };
  const { descriptor } = await platform.call<{ descriptor: Descriptor }>(
    "POST",
    "/api/builder/descriptor/preview",
    body,
  );
  return descriptor;
}

interface PlanTask {
  id: string;
  action: string;
  dependsOnTasks: PlanTask[];
}

/** Deploys all that is not deployed as it is described, and answers the components that were provisioned. */
async function deploy({ platform }: World, descriptor: Descriptor): Promise<string[]> {
  const path = `/api/coordinator/v2/deployment-units/${unitId}/provisioning?environment=${environment}`;
  const targetStatus = descriptor.components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" }));
  const body = { descriptor, targetStatus, preventRedeploy: true };
  const token = await platform.call<string>("POST", path, body);
  const { dag } = await platform.until<{ dag: PlanTask & { status: string } }>(
    `/api/coordinator/v1/execution-plans/${token}`,
    (plan) => ["COMPLETED", "FAILED", "TERMINATED"].includes(plan.dag.status),
  );
  assert.equal(dag.status, "COMPLETED");
  return [...new Set(tasksOf(dag).filter(({ action }) => action === "PROVISION").map(componentOf))].toSorted();
}

function tasksOf(task: PlanTask): PlanTask[] {
  return task.dependsOnTasks.flatMap((each) => [each, ...tasksOf(each)]);
}

function componentOf({ id }: PlanTask): string {
  return id.slice(id.indexOf("urn:"));
}

interface Form {
  revision: string;
  values: { description: string; columns: object[] };
  environmentOverrides: Record<string, Record<string, unknown>>;
  environments: string[];
}

interface EditTask {
  status: string;
  error: string | null;
  output: { branch: string; commitHash: string; patch: string; changedFiles: string[] };
}

async function editView({ platform, say }: World): Promise<void> {
  const query = new URLSearchParams({ entityRef: viewRef, templateRef: editTemplate }).toString();
  const form = await platform.call<Form>("GET", `/api/builder/templates/form?${query}`);
  assert.equal(form.values.description, "All ferries");
  say(`the form shows what the view has now: ${JSON.stringify(form.values)}`);
  const columns = [...form.values.columns, { name: "leaves_at", type: "TIMESTAMPZ" }];
  const edit = {
    templateRef: editTemplate,
    entityRef: viewRef,
    revision: form.revision,
    values: { ...form.values, description, columns },
    environmentOverrides: { [environment]: { label: "try it here" } },
  };
  const { id } = await platform.call<{ id: string }>("POST", "/api/builder/templates/instantiate", edit);
  const task = await platform.until<EditTask>(`/api/builder/templates/tasks/${id}`, ({ status }) =>
    ["completed", "failed", "cancelled"].includes(status),
  );
  assert.deepEqual([task.status, task.error], ["completed", null]);
  assert.deepEqual(task.output.changedFiles, ["parameters.yaml"]);
  say(`the edit is published to ${task.output.branch}:`);
  for (const line of task.output.patch.split("\n").filter((each) => /^[+-][^+-]/.test(each))) say(`  ${line}`);
  await platform.call("POST", `/api/builder/templates/tasks/${id}/accept`, {});
  say("accepted");
  // Whoever still has the old form open would write over it.
  await assert.rejects(platform.call("POST", "/api/builder/templates/instantiate", edit), /answered 409/);
  say("the same form, sent again, is refused: it was filled from a commit before");
}

/** The columns of the view in PostgreSQL, in their order. */
async function columnsOf({ database }: World): Promise<string[]> {
  return withClient(database, async (client) => {
    const { fields } = await client.query("select * from ferries.today limit 0");
    return fields.map(({ name }) => name);
  });
}
