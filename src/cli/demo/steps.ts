/** The steps of the main job, each by the same HTTP calls that the commands make. */
import { fileURLToPath } from "node:url";
import { dump } from "js-yaml";
import { callServer, type Server } from "../client/http.ts";
import type { ProvisioningPlan, UnitStatus } from "../client/wire.ts";
import { packFiles, readDirectory, type ArchiveFiles } from "../archive-file.ts";
import { buildDescriptor, type BuiltDescriptor } from "../plans/build.ts";
import { whyLines } from "../plans/follow.ts";
import { readUnitStatus } from "../plans/status.ts";
import { previewPlan, startPlan, type ProvisioningRequest } from "../plans/targets.ts";
import { isValid, validateDescriptor, validationLines } from "../plans/validate.ts";
import type { Cli } from "../context.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { planTable } from "../print/plan-table.ts";
import { provisioned } from "../print/provisioning-info.ts";
import { renderTable } from "../print/table.ts";
import { count } from "../print/text.ts";
import { watchPlan } from "../print/live.ts";
import type { PlanProgress } from "../print/plan-progress.ts";
import { applyEvent, startProgress } from "../print/plan-progress.ts";
import { followPlan } from "../client/plan-events.ts";
import { indent, type Stage } from "./output.ts";
import { readView } from "./view-store.ts";
import type { RunningDemo } from "./services.ts";

export const environment = "development";
const environments = [environment, "production"];
const exampleName = "fleet-positions";
const exampleDirectory = fileURLToPath(new URL(`../../../examples/${exampleName}`, import.meta.url));

const templates = {
  postgres: ["postgres-storage", "postgres-workload", "postgres-outputport"],
  mock: ["mock"],
} as const;

export const readExample = (): Promise<ArchiveFiles> => readDirectory(exampleDirectory);

export const demoFailure = (message: string, more: string[] = []): Failure =>
  new Failure({
    kind: "internal",
    code: "CLI_DEMO",
    message,
    problems: more.map((each) => ({ where: "", message: each })),
  });

export async function registerAdapters(server: Server, stage: Stage, demo: RunningDemo): Promise<object> {
  const rows: string[][] = [];
  for (const adapter of [demo.adapters.postgres, demo.adapters.mock]) {
    for (const template of templates[adapter.name]) {
      const id = `urn:dmb:itm:${template}:1`;
      for (const each of environments) {
        const description = `Shipped with Plinth: the ${adapter.name} adapter`;
        const body = { id, name: template, description, version: "1", url: adapter.url, environment: each };
        await callServer(server, { method: "POST", path: "/api/builder/register", body });
      }
      rows.push([id, adapter.name, environments.join(", ")]);
    }
  }
  const columns = [{ title: "INFRASTRUCTURE TEMPLATE" }, { title: "ADAPTER" }, { title: "ENVIRONMENTS" }];
  stage.say(...renderTable(columns, rows, { paintTitle: stage.styles.faint }));
  return { templates: rows.map(([id]) => id), environments };
}

export async function buildFrom(
  server: Server,
  stage: Stage,
  files: ArchiveFiles,
): Promise<{ descriptor: BuiltDescriptor }> {
  const archive = await packFiles(files, exampleName);
  const { descriptor } = await buildDescriptor(server, archive, environment);
  const entities = new Set(
    Object.keys(files).flatMap((path) => (path.includes("/") ? path.split("/")[0]! : [])),
  );
  stage.say(
    `packed     ${archive.name}: ${count(entities.size, "entity").replace("entitys", "entities")}, ` +
      `${Object.keys(files).length} files, ${(archive.bytes.length / 1024).toFixed(1)} KiB`,
    `built      ${descriptor.id} for ${environment}, ${count(descriptor.components.length, "component")}`,
  );
  return { descriptor };
}

export async function validate(server: Server, stage: Stage, descriptor: BuiltDescriptor): Promise<object> {
  const result = await validateDescriptor(server, dump(descriptor, { noRefs: true }));
  stage.say(...validationLines(result, stage.styles));
  if (isValid(result)) return { valid: true };
  const problems = result.results.flatMap(({ errors }) => errors.moreInfo.problems);
  throw demoFailure("The descriptor of the example is not valid.", problems);
}

export function requestFor(descriptor: BuiltDescriptor, preventRedeploy: boolean): ProvisioningRequest {
  return {
    unitId: descriptor.id,
    environment,
    isPartial: false,
    body: {
      descriptor,
      targetStatus: descriptor.components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" })),
      removeData: false,
      preventRedeploy,
    },
  };
}

export async function preview(
  server: Server,
  stage: Stage,
  request: ProvisioningRequest,
): Promise<ProvisioningPlan> {
  const plan = await previewPlan(server, request);
  stage.say(...planTable(plan, { styles: stage.styles, width: stage.width && stage.width - indent }));
  if (plan.outcome === "OK") return plan;
  throw demoFailure("The plan of the example contradicts itself.");
}

export interface Provisioning {
  server: Server;
  stage: Stage;
  request: ProvisioningRequest;
  plan: ProvisioningPlan;
}

export async function provision(
  cli: Cli,
  { server, stage, request, plan }: Provisioning,
): Promise<PlanProgress> {
  const token = await startPlan(server, request, plan);
  const progress = stage.isJson
    ? await watchSilently(cli, server, token)
    : await watchPlan(cli, { server, token, output: cli.out, indent });
  if (progress.status === "COMPLETED") return progress;
  throw demoFailure(`The plan ended ${progress.status}.`, whyLines(progress));
}

async function watchSilently(cli: Cli, server: Server, token: string): Promise<PlanProgress> {
  const progress = startProgress(token);
  for await (const event of followPlan(server, token)) applyEvent(progress, event, cli.now());
  return progress;
}

const shownRows = 5;

export interface Port {
  componentId: string;
  schema: string;
  view: string;
  columns: string[];
  total: number;
}

/** Queries the output ports at the location that their adapter returned. */
export async function queryPorts(
  server: Server,
  { stage, demo, unit, ids }: { stage: Stage; demo: RunningDemo; unit: string; ids: readonly string[] },
): Promise<{ status: string; ports: Port[] }> {
  const { status, provisioningDetails }: UnitStatus = await readUnitStatus(server, {
    unit,
    environment,
  });
  const ports: Port[] = [];
  for (const componentId of ids) {
    const info = provisioningDetails.provisioningInfo?.[componentId];
    const [schema, view, database] = ["schema", "view", "database"].map((name) => provisioned(info, name));
    if (!schema || !view) throw demoFailure(`The adapter did not return the location of ${componentId}.`);
    const { columns, rows, total } = await readView(demo.target, { schema, view, limit: shownRows });
    const where = `${provisioned(info, "host")}:${provisioned(info, "port")}/${database}`;
    const shown = rows.length < total ? `the first ${rows.length} of ${total} rows` : count(total, "row");
    stage.say(
      ...(ports.length === 0 ? [] : [""]),
      `${stage.styles.strong(`${schema}.${view}`)} at ${where}, ${shown}`,
      ...renderTable(
        columns.map(({ name, isNumber }) => ({
          title: name,
          ...(isNumber ? { align: "right" as const } : {}),
        })),
        rows,
        { paintTitle: stage.styles.faint, width: stage.width && stage.width - indent },
      ),
    );
    ports.push({ componentId, schema, view, columns: columns.map(({ name }) => name), total });
  }
  const empty = ports.filter(({ total }) => total === 0).map(({ view }) => view);
  if (empty.length > 0) throw demoFailure(`These provisioned views have no rows: ${empty.join(", ")}.`);
  return { status, ports };
}
