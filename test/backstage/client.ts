/**
 * Backstage's own client of the scaffolder against our server: every method of it, each answer checked. It is no
 * dependency of the project: `npm ci --prefix test/backstage/current` first.
 *   node test/backstage/client.ts
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { pathToFileURL } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { tokenOf, type WholeServer } from "../support/server.ts";
import { registerFile, runChecks, withOwnServer } from "./own-server.ts";
import { clientPath } from "./peers.ts";

interface LogEvent {
  id: number | string;
  type: string;
  taskId: string;
  createdAt: string;
  body: { message: string; stepId?: string; status?: string; output?: unknown; error?: unknown };
}

interface Subscriber {
  next: (event: LogEvent) => void;
  error: (error: Error) => void;
  complete: () => void;
}

/** The part of the client that is used here. */
interface Client {
  getTemplateParameterSchema(ref: string): Promise<any>;
  listActions(): Promise<any[]>;
  listTemplatingExtensions(): Promise<any>;
  scaffold(request: object): Promise<{ taskId: string }>;
  getTask(id: string): Promise<any>;
  listTasks(request: object): Promise<{ tasks: any[]; totalTasks: number }>;
  streamLogs(request: object): { subscribe(subscriber: Subscriber): unknown };
  cancelTask(id: string): Promise<any>;
  retry(id: string): Promise<any>;
  dryRun(request: object): Promise<any>;
  getIntegrationsList(request: object): Promise<any>;
  autocomplete(request: object): Promise<any>;
}

if (!existsSync(clientPath)) throw new Error("Install it first: npm ci --prefix test/backstage/current");
// The client reads streams with a library for browsers, which wants to know whether the page is seen.
Object.assign(globalThis, {
  window: globalThis,
  document: { hidden: false, addEventListener() {}, removeEventListener() {} },
});
const { ScaffolderClient } = (await import(pathToFileURL(clientPath).href)) as {
  ScaffolderClient: new (options: object) => Client;
};

function clientOf({ url }: WholeServer, more: object = {}): Client {
  const authorization = `Bearer ${tokenOf("developer")}`;
  const list = (...items: object[]) => ({ list: () => items });
  return new ScaffolderClient({
    discoveryApi: { getBaseUrl: async (plugin: string) => `${url}/api/${plugin}` },
    fetchApi: {
      fetch: (input: string | Request, init: RequestInit = {}) => {
        const headers = new Headers(init.headers);
        headers.set("authorization", authorization);
        return fetch(input, { ...init, headers });
      },
    },
    identityApi: { getBackstageIdentity: async () => ({ userEntityRef: "service:default/developer" }) },
    scmIntegrationsApi: {
      azure: list(),
      bitbucketCloud: list(),
      bitbucketServer: list(),
      gerrit: list(),
      gitea: list(),
      github: list({ type: "github", title: "github.com", config: { host: "github.com" } }),
      gitlab: list({ type: "gitlab", title: "gitlab.com", config: { host: "gitlab.com" } }),
    },
    ...more,
  });
}

/** All events until the stream says that it is at its end. */
const follow = (client: Client, request: object): Promise<LogEvent[]> =>
  new Promise((resolve, reject) => {
    const events: LogEvent[] = [];
    client.streamLogs(request).subscribe({
      next: (event) => void events.push(event),
      error: reject,
      complete: () => resolve(events),
    });
  });

const template = (name: string, steps: object[], parameters: object = { type: "object" }): object => ({
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name, title: `The ${name}`, description: "For the client." },
  spec: {
    owner: "sailors",
    type: "service",
    parameters,
    steps,
    output: { text: [{ content: "${{ parameters.name }}" }] },
  },
});

const parameters = {
  title: "Name it",
  description: "Any name.",
  required: ["name"],
  properties: { name: { type: "string", title: "Name", "ui:autofocus": true } },
};
const log = {
  id: "say",
  name: "Say it",
  action: "debug:log",
  input: { message: "It is ${{ parameters.name }}." },
};
const templates = [
  template("quick", [log, { ...log, id: "again" }], parameters),
  template("slow", [{ id: "wait", name: "Wait", action: "debug:wait", input: { minutes: 5 } }]),
  template("needy", [
    log,
    { id: "look", name: "Look", action: "catalog:fetch", input: { entityRef: "component:default/late" } },
  ]),
];

const endOf = async (client: Client, taskId: string): Promise<LogEvent[]> => follow(client, { taskId });

interface Fixture {
  server: WholeServer;
  client: Client;
  folder: string;
  /** `127.0.0.1:<port>` of a server that answers as GitHub does. */
  hub: string;
}

const checks: Record<string, (fixture: Fixture) => Promise<void>> = {
  async getTemplateParameterSchema({ client }) {
    const schema = await client.getTemplateParameterSchema("template:default/quick");
    assert.equal(schema.title, "The quick");
    assert.equal(schema.description, "For the client.");
    assert.deepEqual(schema.steps, [{ title: "Name it", description: "Any name.", schema: parameters }]);
    await assert.rejects(client.getTemplateParameterSchema("template:default/never"), {
      name: "ResponseError",
      statusCode: 404,
    });
  },
  async listActions({ client }) {
    const actions = await client.listActions();
    const debugLog = actions.find(({ id }) => id === "debug:log");
    assert.equal(typeof debugLog.description, "string");
    assert.ok(debugLog.schema.input.properties.message);
  },
  async listTemplatingExtensions({ client }) {
    const { filters, globals } = await client.listTemplatingExtensions();
    assert.deepEqual(Object.keys(filters).toSorted(), [
      "parseEntityRef",
      "parseRepoUrl",
      "pick",
      "projectSlug",
    ]);
    assert.ok(filters.pick.description && filters.pick.schema.input && filters.pick.examples[0].example);
    assert.deepEqual(Object.keys(globals.functions), ["always", "failure"]);
    assert.deepEqual(globals.values, {});
  },
  async scaffold({ client }) {
    const { taskId } = await client.scaffold({
      templateRef: "template:default/quick",
      values: { name: "x" },
    });
    const events = await endOf(client, taskId);
    assert.equal(events.at(-1)?.type, "completion");
    assert.deepEqual(events.at(-1)?.body.output, { text: [{ content: "x" }] });
    const steps = events
      .filter(({ body }) => body.stepId === "say")
      .map(({ body }) => body.status ?? body.message);
    assert.deepEqual(steps, ["processing", "It is x.", "completed"]);
    await assert.rejects(client.scaffold({ templateRef: "template:default/quick", values: {} }), /400/);
  },
  async getTask({ client }) {
    const { taskId } = await client.scaffold({
      templateRef: "template:default/quick",
      values: { name: "x" },
    });
    await endOf(client, taskId);
    const task = await client.getTask(taskId);
    assert.deepEqual(
      [task.id, task.status, task.spec.parameters, task.spec.templateInfo.entityRef],
      [taskId, "completed", { name: "x" }, "template:default/quick"],
    );
    assert.deepEqual(
      task.spec.steps.map(({ name }: { name: string }) => name),
      ["Say it", "Say it"],
    );
    await assert.rejects(client.getTask("00000000-0000-4000-8000-000000000000"), {
      name: "ResponseError",
      statusCode: 404,
    });
  },
  async listTasks({ client }) {
    const all = await client.listTasks({ filterByOwnership: "all", limit: 2, offset: 0 });
    assert.equal(all.tasks.length, 2);
    const next = await client.listTasks({ filterByOwnership: "all", limit: 1, offset: 1 });
    assert.equal(next.tasks[0].id, all.tasks[1].id);
    assert.equal(next.totalTasks, all.totalTasks);
    const owner = all.tasks[0].createdBy;
    assert.equal(owner, "service:default/developer");
    const owned = await client.listTasks({ filterByOwnership: "owned" });
    assert.equal(owned.totalTasks, all.totalTasks);
  },
  async streamLogs({ client, server }) {
    const { taskId } = await client.scaffold({
      templateRef: "template:default/quick",
      values: { name: "x" },
    });
    const events = await endOf(client, taskId);
    const ids = events.map(({ id }) => Number(id));
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => one - other),
    );
    const middle = ids[2];
    const rest = events.slice(3);
    assert.deepEqual(await follow(client, { taskId, after: middle }), rest);
    const polling = clientOf(server, { useLongPollingLogs: true });
    assert.deepEqual(await follow(polling, { taskId }), events);
    assert.deepEqual(await follow(polling, { taskId, after: middle }), rest);
  },
  async "streamLogs of a task that is under way"({ client, server }) {
    for (const follower of [client, clientOf(server, { useLongPollingLogs: true })]) {
      const { taskId } = await client.scaffold({ templateRef: "template:default/slow", values: {} });
      const following = follow(follower, { taskId });
      for (let status = ""; status !== "processing"; await wait(20))
        status = (await client.getTask(taskId)).status;
      assert.deepEqual(await client.cancelTask(taskId), { status: "cancelled" });
      const events = await following;
      assert.deepEqual(
        events.slice(-2).map(({ type }) => type),
        ["cancelled", "completion"],
      );
    }
  },
  async cancelTask({ client }) {
    const { taskId } = await client.scaffold({ templateRef: "template:default/slow", values: {} });
    assert.deepEqual(await client.cancelTask(taskId), { status: "cancelled" });
    await endOf(client, taskId);
    assert.equal((await client.getTask(taskId)).status, "cancelled");
    await assert.rejects(client.cancelTask("00000000-0000-4000-8000-000000000000"), { statusCode: 404 });
  },
  async retry({ client, server, folder }) {
    const { taskId } = await client.scaffold({
      templateRef: "template:default/needy",
      values: { name: "x" },
    });
    const events = await endOf(client, taskId);
    assert.equal((await client.getTask(taskId)).status, "failed");
    const late = {
      apiVersion: "backstage.io/v1alpha1",
      kind: "Component",
      metadata: { name: "late" },
      spec: { type: "service", lifecycle: "production", owner: "sailors" },
    };
    await registerFile(server, { folder, name: "late", entities: [late] });
    assert.deepEqual(await client.retry(taskId), { id: taskId });
    const more = await follow(client, { taskId, after: Number(events.at(-1)?.id) });
    assert.equal((await client.getTask(taskId)).status, "completed");
    assert.deepEqual([...new Set(more.map(({ body }) => body.stepId).filter(Boolean))], ["look"]);
  },
  async dryRun({ client }) {
    const [quick] = templates;
    const file = { path: "a.txt", base64Content: Buffer.from("a").toString("base64") };
    const answer = await client.dryRun({
      template: quick,
      values: { name: "x" },
      secrets: { token: "s" },
      directoryContents: [file],
    });
    assert.deepEqual(answer.output, { text: [{ content: "x" }] });
    assert.ok(answer.log.some(({ body }: LogEvent) => body.message === "It is x."));
    assert.deepEqual(answer.directoryContents, []);
    assert.deepEqual(
      answer.steps.map(({ id }: { id: string }) => id),
      ["say", "again"],
    );
    await assert.rejects(client.dryRun({ template: quick, values: {}, directoryContents: [] }), {
      statusCode: 400,
    });
  },
  async getIntegrationsList({ client }) {
    assert.deepEqual(await client.getIntegrationsList({ allowedHosts: ["github.com"] }), {
      integrations: [{ type: "github", title: "github.com", host: "github.com" }],
    });
  },
  async autocomplete({ client, hub }) {
    const context = { host: hub, owner: "sea", repository: "fleet" };
    const query = { token: "mine", provider: "github", resource: "branches", context };
    assert.deepEqual(await client.autocomplete(query), { results: [{ id: "main" }] });
    for (const wrong of [
      { provider: "cvs" },
      { resource: "stars" },
      { token: "" },
      { context: { host: hub } },
    ])
      await assert.rejects(client.autocomplete({ ...query, ...wrong }), {
        name: "ResponseError",
        statusCode: 400,
      });
  },
};

const hub = createHttpServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify([{ name: "main" }]));
}).listen(0, "127.0.0.1");
await once(hub, "listening");
const hubHost = `127.0.0.1:${(hub.address() as AddressInfo).port}`;
try {
  await withOwnServer(
    async ({ server, folder }) => {
      for (const [index, entity] of templates.entries())
        await registerFile(server, { folder, name: `template-${index}`, entities: [entity] });
      await runChecks<Fixture>(checks, { server, client: clientOf(server), folder, hub: hubHost });
    },
    (config) => {
      config.outbound.allowPrivateNetworks = true;
      config.outbound.allowedSchemes = ["http", "https"];
      config.integrations.github = [{ host: hubHost, apiBaseUrl: `http://${hubHost}` }];
    },
  );
} finally {
  hub.closeAllConnections();
  hub.close();
}
