/** A server with some history, and what of it requests may name. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { dump, load } from "js-yaml";
import { hullId, mastId, provisioning, sailId, ships, start, unitId } from "../coordinator/ships.ts";
import { pageCursor } from "../../src/platform/lib/page-cursor.ts";
import type { Config } from "../../src/platform/config/schema/schema.ts";
import { startWholeServer, until, type WholeServer, mockAdapterId } from "../support/server.ts";
import type { TestDatabase } from "../support/database.ts";
import { startScriptedModel } from "../support/scripted-model/server.ts";
import { readTracked } from "./data-layer-records.ts";
import { assistantParts, assistantScript, fillAssistant } from "./assistant-records.ts";
import { fillAuth } from "./auth-records.ts";
import { fillGovernance } from "./governance-records.ts";
import { readDocument, type ApiDocument, type Operation } from "./document.ts";

/** In the order of the fixture's documents. */
export const areas = ["coordinator", "builder", "assistant", "governance", "data-layer", "auth"] as const;

const prefixes = {
  coordinator: "/api/coordinator",
  builder: "/api/builder",
  assistant: "/api/assistant/v2",
  governance: "/v1/computational-governance",
  "data-layer": "/api/data-layer",
  auth: "/api/auth",
};

export const isArea = (name: string): name is (typeof areas)[number] => areas.some((area) => area === name);

export interface Fixture {
  server: WholeServer;
  /** The documents as they are served. */
  published: unknown[];
  documents: ApiDocument[];
  fitting: (operation: Operation, name: string, subject: number) => readonly unknown[];
  protectedIds: ReadonlySet<string>;
}

const withTemplates = (config: Config): void => {
  config.mesh.builder.catalogue.folders = [import.meta.dirname];
};

/** One to clone, as a template would have published it. */
const withRepository = ({ dataDir }: Config): void => {
  execFileSync("git", ["init", "-q", "--bare", join(dataDir, "builder", "repositories", "ships.git")]);
};

const boatsId = "urn:dmb:dp:sea:boats:0";
const wrecksId = "urn:dmb:dp:sea:wrecks:0";
const ropeId = "urn:dmb:itm:rope:1";

export async function openFixture(db?: TestDatabase): Promise<Fixture> {
  const configure = (config: Config): void => {
    withTemplates(config);
    withRepository(config);
    config.accessTokens.perOwner = 10_000;
    // Each plan of a unit with the task that never ends is asked for as long as the tests run.
    config.coordinator.execution.pollMaxMs = 5_000;
  };
  const model = await startScriptedModel(assistantScript);
  const whole = await startWholeServer({ ...(db && { db }), configure, replaced: assistantParts(model) });
  const server: WholeServer = {
    ...whole,
    async close() {
      await whole.close();
      await model.close();
    },
  };
  await server.registerMock();
  const rope = { id: ropeId, name: "Rope", version: "1" };
  await server.coordinator({ method: "POST", path: "/v1/tech-adapters", body: rope });
  const isEnded = async (token: string): Promise<void> => {
    const ends = new Set(["COMPLETED", "FAILED", "TERMINATED"]);
    await until(
      () => server.coordinator({ path: `/v1/execution-plans/${token}/status` }),
      ({ body }) => ends.has(body.dag.status),
    );
  };
  // One unit is deployed, one has failed, one is at work for as long as nobody terminates it.
  const tokens = [await start(server)];
  await isEnded(tokens[0]!);
  server.mock.setBehaviours({
    default: { outcome: "FAILED", operations: { validate: { outcome: "COMPLETED" } } },
  });
  tokens.push(await start(server, ships(wrecksId)));
  await isEnded(tokens[1]!);
  server.mock.setBehaviours({
    // Asked twenty times a second, it would soon send thousands of lines with each answer.
    components: { [sailId]: { mode: "async", runningMs: 3_600_000, logs: { lines: 1, style: "repeated" } } },
    default: { delayMs: 2 },
  });
  tokens.push(await start(server, ships(boatsId)));
  const judgement = { method: "POST", path: "/v2/validate", body: { descriptor: dump(ships()) } };
  const { body: judged } = await server.coordinator(judgement);
  const asked = await askForAccess(server);
  const catalogued = await fillCatalogue(server);
  const instantiated = await instantiate(server);
  const assisted = await fillAssistant(server);
  const governed = await fillGovernance(server);
  const tracked = await readTracked(server);
  const authed = await fillAuth(server);
  const published = await Promise.all(
    areas.map(async (area) => {
      const answer = await fetch(`${server.url}${prefixes[area]}/openapi.json`);
      return answer.json();
    }),
  );
  return {
    server,
    published,
    documents: published.map(readDocument),
    fitting: (operation, name, subject) =>
      assisted(operation, name) ??
      tracked(operation, name) ??
      authed(operation, name) ??
      governed(operation, name) ??
      aboutSubject(operation, name, subject) ??
      catalogued(operation, name) ??
      instantiated(operation, name) ??
      asked(operation, name) ??
      (operation.id === "getValidationStatus" && name === "token" ? [String(judged), ...tokens] : null) ??
      fittingOf(operation, name, tokens),
    protectedIds: new Set([mockAdapterId]),
  };
}

/** Access requests that wait for their owner, and what names them and their hooks. */
async function askForAccess(
  server: WholeServer,
): Promise<(operation: Operation, name: string) => readonly unknown[] | null> {
  const wanted = { deploymentUnitId: unitId, environment: "development", outputPortUrns: [sailId] };
  const requests: { id: string; hooks: { hookId: string }[] }[] = [];
  for (const person of ["user:ada", "user:bob", "user:cy"]) {
    const body = { ...wanted, identities: [person] };
    const answer = await server.builder({ method: "POST", path: "/access-requests", body });
    if (answer.status !== 201)
      throw new Error(`An access request was answered ${answer.status} ${answer.text}`);
    requests.push(answer.body);
  }
  const ids = requests.map(({ id }) => id);
  const hookIds = requests.flatMap(({ hooks }) => hooks.map(({ hookId }) => hookId));
  return ({ path }, name) => {
    if (path.includes("/access-requests")) {
      const cursor = pageCursor(["2026-11-21T08:20:43.167Z", ids[0] ?? ""]);
      const known: Record<string, unknown[]> = { id: ids, outputPortUrns: [[sailId]], after: [cursor] };
      return known[name] ?? (name === "deploymentUnitId" ? [unitId] : name === "templateRef" ? ["x"] : null);
    }
    if (!path.includes("/hooks")) return null;
    if (name === "after") return [pageCursor(["2026-11-21T08:20:43.167Z", hookIds[0] ?? ""])];
    return name === "id" ? [...hookIds, `cap_${"A".repeat(43)}`] : null;
  };
}

/** Tasks of a template that have ended well and badly, and what names them and others. */
async function instantiate(
  server: WholeServer,
): Promise<(operation: Operation, name: string) => readonly unknown[] | null> {
  const file = join(import.meta.dirname, "template.yaml");
  for (const target of [file, join(import.meta.dirname, "component.yaml")]) {
    await server.catalog({ method: "POST", path: "/locations", body: { type: "file", target } });
  }
  const ids: string[] = [];
  for (const values of [{ name: "a" }, { name: "b", fails: true }]) {
    const request = {
      method: "POST",
      path: "/templates/instantiate",
      body: { templateRef: "drawn", values },
    };
    const { body: started } = await server.builder(request);
    ids.push(started.id);
    await until(
      () => server.builder({ path: `/templates/tasks/${started.id}/status` }),
      ({ text }) => /completed|failed/.test(text),
    );
  }
  const template: unknown = load(await readFile(file, "utf8"));
  const known: Record<string, readonly unknown[]> = {
    taskId: [...ids, "00000000-0000-4000-8000-000000000000"],
    templateRef: ["drawn", "template:default/drawn", "none"],
    entityRef: ["component:default/sea.ships.0.hull", "component:default/none"],
    template: [template, { kind: "Template", metadata: null, spec: { steps: [{ action: 1 }] } }],
    values: [{ name: "x" }, { name: 1 }, { password: "secret" }],
    secrets: [{ token: "secret" }],
    environmentOverrides: [{ production: { name: "y" } }, { moon: {} }],
    directoryContents: [
      [],
      [{ path: "a/b.txt", base64Content: "eA==" }],
      [{ path: "../x", base64Content: "" }],
    ],
    namespace: ["default"],
    kind: ["template"],
    name: ["drawn"],
    // Streams of tasks that have ended go on after any event; events that are waited for would take long.
    after: [0, 1],
    limit: [1, 100],
  };
  return ({ path, id }, name) => {
    if (!/^\/(?:api\/builder\/templates|api\/scaffolder|templates)\b/.test(path)) return null;
    if (id === "listInstantiations" && name === "after") {
      return [pageCursor(["2026-11-21 08:20:43.167+00", ids[0] ?? ""]), "none"];
    }
    return known[name] ?? null;
  };
}

/** The default taxonomy as a location, and what names it and its entities. */
async function fillCatalogue(
  server: WholeServer,
): Promise<(operation: Operation, name: string) => readonly unknown[] | null> {
  const request = { type: "file", target: "default-taxonomy.yaml" };
  const { body } = await server.catalog({ method: "POST", path: "/locations", body: request });
  const { location, entities } = body as {
    location: { id: string };
    entities: { metadata: { uid: string } }[];
  };
  const entity = { apiVersion: "v1", kind: "Domain", metadata: { name: "sea" }, spec: {} };
  const known: Record<string, readonly unknown[]> = {
    id: [location.id],
    uid: entities.map(({ metadata }) => metadata.uid),
    kind: ["taxonomy", "SystemType"],
    namespace: ["default"],
    name: ["default", "dataproduct"],
    type: ["file"],
    target: ["access-request-templates.yaml", "default-taxonomy.yaml", "none.yaml"],
    entityRef: ["taxonomy:default/default"],
    entityRefs: [["taxonomy:default", "domain:none"]],
    entity: [entity, { ...entity, kind: 1 }],
    location: ["url:http://127.0.0.1:9/a.yaml"],
    filter: [["kind=taxonomy"], ["kind=componenttype", "metadata.name"]],
    fields: [["kind", "metadata.name"]],
    facet: [["kind"], ["kind", "spec.taxonomy"]],
    order: [["asc:metadata.name"]],
    orderField: [["metadata.name,desc"]],
    after: [pageCursor(["componenttype:default/storage"])],
    limit: [1, 100],
  };
  return ({ path }, name) => (path.startsWith("/api/catalog") ? (known[name] ?? null) : null);
}

const descriptors = [ships(), ships(boatsId), ships(wrecksId), { ...ships(), version: "2.0.0" }];
const drawnHash = "x".repeat(22);
const wantedAll = provisioning().targetStatus;

/** Most requests are about one unit; null for those that mix what they name. */
function aboutSubject({ id }: Operation, name: string, subject: number): readonly unknown[] | null {
  const unit = [ships(), ships(boatsId), ships(wrecksId)][Math.floor(subject * 4)];
  if (!unit) return null;
  const fitting: Record<string, unknown> = {
    "deployment-unit-id": unit.id,
    dataProductUrn: unit.id,
    environment: "development",
    // One hash in both places, or the request would contradict itself.
    planHash: drawnHash,
    "if-match": `"${drawnHash}"`,
    confirmDataRemoval: [sailId],
    descriptor: takesText(id) ? dump(unit) : unit,
    targetStatus: provisioning(unit).targetStatus,
  };
  return fitting[name] === undefined ? null : [fitting[name]];
}

/** What is known to fit; an operation that is not named here is served by the names alone. */
function fittingOf({ id, path }: Operation, name: string, tokens: string[]): readonly unknown[] {
  if (path.startsWith("/git/") && name === "name") return ["ships.git", "ships.git", "boats.git"];
  if (path.endsWith("/register") && name === "id") return ["urn:dmb:itm:made:1"];
  if (path.endsWith("/register") && name === "version") return ["1"];
  // The others have no deployment, so no calls.
  if (id === "listAdapterCalls" && name === "id") return [mockAdapterId, mockAdapterId, ropeId];
  if (name === "id" && path.includes("/tech-adapters")) return [ropeId, ropeId, "urn:dmb:itm:new:1"];
  if (id === "createTechAdapter" && name === "version") return ["1"];
  if (id === "listUnits" && name === "cursor") return [pageCursor([unitId, "development"])];
  if (id === "listAdapterHealth" && name === "cursor") return [pageCursor([ropeId, "development"])];
  if (id === "listAdapterCalls" && name === "cursor")
    return [pageCursor(["2026-11-21 08:20:43.167000+00", "a", "b"])];
  if (name === "after" && pagedByCursor.has(id))
    return [
      pageCursor(["7"]),
      pageCursor(["2026-11-21T08:20:43.167Z", "a"].concat(id.includes("Outcome") ? "b" : [])),
    ];
  if (name === "descriptor")
    return takesText(id) ? [...descriptors.map((each) => dump(each)), "a: ["] : descriptors;
  const byName: Record<string, readonly unknown[]> = {
    "deployment-unit-id": [unitId, boatsId, wrecksId, unitId.toUpperCase(), "urn:dmb:dp:sea:none:0"],
    "component-id": [hullId, mastId, "nobody"],
    componentId: [hullId, mastId, sailId],
    environment: ["development", "development", "production", "moon"],
    environments: ["development", ["development"]],
    targetStatus: [wantedAll, wantedAll.slice(1)],
    token: tokens,
    provisioning_plan_id: tokens,
    plan: tokens,
    "other-plan": tokens,
    task: [`provision:${hullId}`, `validate:${mastId}`],
    task_id: [`provision:${hullId}`],
    url: ["http://127.0.0.1:9"],
    limit: [1, 100],
    offset: [0, 3],
    labels: [["a=b"], ["a=b", "c=d"]],
    "last-event-id": ["3"],
    dataProductUrn: [unitId],
    outputPortUrn: [sailId, hullId],
    pageId: ["dataProductPage", "outputPortPage"],
    identities: [["user:ada", "group:ops"], []],
    "other-environment": ["production", "development"],
    "data-product-id": [unitId, boatsId],
    "resource-types": [["dataproduct"], ["a", "b"]],
    infrastructureTemplateIds: [[mockAdapterId]],
  };
  return byName[name] ?? [];
}

const pagedByCursor = new Set([
  "listUnknownOutcomes",
  "listDriftChecks",
  "listWebhookDeliveries",
  "listNotices",
]);

/** Some operations take the descriptor as text, the others as an object. */
const takesText = (id: string): boolean => id !== "startProvisioning" && id !== "previewProvisioning";
