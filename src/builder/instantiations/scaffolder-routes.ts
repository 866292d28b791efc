import { Type } from "typebox";
import type { StoredEvent } from "../../platform/events/events.ts";
import { idempotencyHeader, readIdempotencyKey } from "../../platform/http/input/idempotency-key.ts";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import { resumeHeaders, resumeQuery, resumeStream } from "../../platform/http/responses/resume-stream.ts";
import type { StreamRecord } from "../../platform/http/responses/sse.ts";
import type { BuilderExtra } from "../context.ts";
import { dryRun, type DryRunDeps } from "./dry-run.ts";
import { retryBody, taskId, taskParams, taskStatus } from "./schema.ts";
import { cancel, followTask, retry } from "./service.ts";
import { instantiate } from "./start.ts";
import { listProposals } from "../actions/publishing/autocomplete.ts";
import { extensionsWith } from "../templates/extensions.ts";
import {
  actionList,
  completionBody,
  completionParams,
  completions,
  dryRunBody,
  dryRunResult,
  eventList,
  extensionList,
  parameterSchema,
  task,
  taskBody,
  taskPage,
  taskQuery,
  templateParams,
} from "./scaffolder-schema.ts";
import {
  getParameterSchema,
  getScaffolderTask,
  listScaffolderTasks,
  pollEvents,
  toEvent,
} from "./scaffolder-service.ts";

/** Path prefix of the operations that clients of the Backstage scaffolder call. */
export const scaffolderBase = "/api/scaffolder";

const common = { base: scaffolderBase, tags: ["Backstage scaffolder"] };

/** The operations on instantiations in the format of the Backstage scaffolder. */
export function addScaffolderRoutes(app: AreaApp<BuilderExtra>, parts: DryRunDeps): void {
  addTaskRoutes(app, parts);
  addEventRoutes(app);
  addTemplateRoutes(app, parts);
  addEditorRoutes(app);
}

function addTaskRoutes(app: AreaApp<BuilderExtra>, parts: DryRunDeps): void {
  route(app, {
    ...common,
    id: "scaffolderStart",
    method: "POST",
    path: "/v2/tasks",
    summary: "Instantiate a template",
    rule: "instantiateTemplate",
    headers: Type.Object(idempotencyHeader()),
    body: taskBody,
    response: { 201: taskId },
    errors: [409],
    async handler(ctx, { body, raw }) {
      const idempotencyKey = readIdempotencyKey(raw.headers);
      return { id: await instantiate(ctx, parts, { request: body, idempotencyKey }) };
    },
  });
  route(app, {
    ...common,
    id: "scaffolderTasks",
    method: "GET",
    path: "/v2/tasks",
    summary: "List template instantiations",
    rule: "getInstantiation",
    query: taskQuery,
    response: { 200: taskPage },
    handler: (ctx, { query }) => listScaffolderTasks(ctx, query),
  });
  route(app, {
    ...common,
    id: "scaffolderTask",
    method: "GET",
    path: "/v2/tasks/{taskId}",
    summary: "Get a template instantiation",
    rule: "getInstantiation",
    params: taskParams,
    response: { 200: task },
    errors: [403, 404],
    handler: (ctx, { params }) => getScaffolderTask(ctx, params.taskId),
  });
  route(app, {
    ...common,
    id: "scaffolderCancel",
    method: "POST",
    path: "/v2/tasks/{taskId}/cancel",
    summary: "Cancel a template instantiation",
    rule: "cancelInstantiation",
    params: taskParams,
    urgent: true,
    response: { 200: taskStatus },
    errors: [403, 404, 409],
    async handler(ctx, { params }) {
      await cancel(ctx, params.taskId);
      return { status: "cancelled" };
    },
  });
  route(app, {
    ...common,
    id: "scaffolderRetry",
    method: "POST",
    path: "/v2/tasks/{taskId}/retry",
    summary: "Retry a template instantiation",
    rule: "instantiateTemplate",
    params: taskParams,
    body: retryBody,
    bodyOptional: true,
    response: { 201: taskId },
    errors: [403, 404, 409],
    async handler(ctx, { params, body }) {
      await retry(ctx, params.taskId, body ?? {});
      return { id: params.taskId };
    },
  });
}

function addEventRoutes(app: AreaApp<BuilderExtra>): void {
  route(app, {
    ...common,
    id: "scaffolderEvents",
    method: "GET",
    path: "/v2/tasks/{taskId}/events",
    summary: "Get events of a template instantiation",
    description: "Waits for the next one when there is none yet.",
    rule: "getInstantiation",
    params: taskParams,
    query: resumeQuery(),
    response: { 200: eventList },
    errors: [403, 404],
    handler: (ctx, { params, query }) => pollEvents(ctx, params.taskId, query.after ?? 0),
  });
  route(app, {
    ...common,
    id: "scaffolderEventStream",
    method: "GET",
    path: "/v2/tasks/{taskId}/eventstream",
    summary: "Stream events of a template instantiation",
    rule: "getInstantiation",
    params: taskParams,
    query: resumeQuery(),
    headers: resumeHeaders,
    response: {
      200: { description: "The stream.", contentType: "text/event-stream" },
      204: { description: "The task has ended and the caller has its last event.", noBody: true },
    },
    errors: [403, 404],
    handler: (ctx, { params, raw, reply }) =>
      resumeStream(
        { raw, reply },
        {
          follow: (from) => followTask(ctx, params.taskId, from),
          records: (events) => records(params.taskId, events),
        },
      ),
  });
}

function addTemplateRoutes(app: AreaApp<BuilderExtra>, parts: DryRunDeps): void {
  route(app, {
    ...common,
    id: "scaffolderDryRun",
    method: "POST",
    path: "/v2/dry-run",
    summary: "Try a template",
    rule: "dryRunTemplate",
    body: dryRunBody,
    response: { 200: dryRunResult },
    handler: (ctx, { body }) => dryRun(ctx, parts, body),
  });
  route(app, {
    ...common,
    id: "scaffolderActions",
    method: "GET",
    path: "/v2/actions",
    summary: "List the actions that templates may use",
    rule: "getInstantiation",
    response: { 200: actionList },
    handler: () =>
      [...parts.actions.values()].map(({ id, description, input, output }) => ({
        id,
        description,
        schema: output === undefined ? { input } : { input, output },
        examples: [],
      })),
  });
  route(app, {
    ...common,
    id: "scaffolderParameterSchema",
    method: "GET",
    path: "/v2/templates/{namespace}/{kind}/{name}/parameter-schema",
    summary: "Get the form of a template",
    rule: "getInstantiation",
    params: templateParams,
    response: { 200: parameterSchema },
    errors: [404],
    handler: (_ctx, { params }) =>
      getParameterSchema(parts, `${params.kind}:${params.namespace}/${params.name}`),
  });
}

/** Operations that forms and template editors use. */
function addEditorRoutes(app: AreaApp<BuilderExtra>): void {
  route(app, {
    ...common,
    id: "scaffolderAutocomplete",
    method: "POST",
    path: "/v2/autocomplete/{provider}/{resource}",
    summary: "Propose owners, repositories or branches",
    description:
      "Asks a git host with the token of the caller: `github` (owners, repositoriesWithOwner, branches), `gitlab` (groups, repositories), `bitbucket-cloud` (workspaces, projects, repositories, branches).",
    rule: "instantiateTemplate",
    params: completionParams,
    body: completionBody,
    response: { 200: completions },
    errors: [502],
    async handler(ctx, { params, body }) {
      const { outbound, settings } = ctx.builder;
      const deps = {
        outbound: outbound.integrations,
        integrations: settings.integrations,
        signal: ctx.signal,
      };
      return { results: await listProposals({ ...params, ...body }, deps) };
    },
  });
  route(app, {
    ...common,
    id: "scaffolderExtensions",
    method: "GET",
    path: "/v2/templating-extensions",
    summary: "List the filters and functions that expressions may use",
    description: "Those beyond the language of templates itself.",
    rule: "getInstantiation",
    response: { 200: extensionList },
    handler: async (ctx) => extensionsWith(await ctx.builder.renderer.extensions()),
  });
}

async function* records(id: string, events: AsyncGenerator<StoredEvent>): AsyncGenerator<StreamRecord> {
  for await (const event of events) {
    const row = { ...event, data: JSON.parse(event.data) as Record<string, unknown> };
    yield { id: event.id, event: event.type, data: toEvent(id, row) };
  }
}
