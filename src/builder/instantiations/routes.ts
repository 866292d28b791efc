import { Type } from "typebox";
import { idempotencyHeader, readIdempotencyKey } from "../../platform/http/input/idempotency-key.ts";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import {
  eventRecords,
  resumeHeaders,
  resumeQuery,
  resumeStream,
} from "../../platform/http/responses/resume-stream.ts";
import type { BuilderExtra } from "../context.ts";
import { type DryRunDeps, dryRun, validateTemplate } from "./dry-run.ts";
import {
  dryRunAnswer,
  dryRunBody,
  instantiateBody,
  retryBody,
  taskDetail,
  taskId,
  taskList,
  taskParams,
  tasksQuery,
  taskStatus,
  templateBody,
  templateVerdict,
} from "./schema.ts";
import { cancel, followTask, getStatus, retry, getTask, getTasks } from "./service.ts";
import { instantiate } from "./start.ts";

const tags = ["Templates"];

/** Adds the operations below `/templates`. */
export function addInstantiationRoutes(app: AreaApp<BuilderExtra>, deps: DryRunDeps): void {
  route(app, {
    id: "instantiateTemplate",
    method: "POST",
    path: "/templates/instantiate",
    summary: "Instantiate a template",
    description: "Starts a task and answers its id at once.",
    tags,
    rule: "instantiateTemplate",
    headers: Type.Object(idempotencyHeader()),
    body: instantiateBody,
    response: { 200: taskId },
    errors: [403, 404, 409, 502],
    async handler(ctx, { body, raw }) {
      const idempotencyKey = readIdempotencyKey(raw.headers);
      return { id: await instantiate(ctx, deps, { request: body, idempotencyKey }) };
    },
  });
  route(app, {
    id: "dryRunTemplate",
    method: "POST",
    path: "/templates/dry-run",
    summary: "Try a template",
    description:
      "Runs the steps without effects outside and answers their log, the files they made and the output. Actions that " +
      "can't be tried are left out.",
    tags,
    rule: "dryRunTemplate",
    body: dryRunBody,
    response: { 200: dryRunAnswer },
    handler: (ctx, { body }) => dryRun(ctx, deps, body),
  });
  route(app, {
    id: "validateTemplate",
    method: "POST",
    path: "/templates/validate",
    summary: "Check a template",
    description: "Names everything in a Template entity that an instantiation would refuse.",
    tags,
    rule: "dryRunTemplate",
    body: templateBody,
    response: { 200: templateVerdict },
    handler: (_ctx, { body }) => validateTemplate(deps, body.template),
  });
  addTaskRoutes(app);
  addTaskChanges(app, deps);
}

function addTaskRoutes(app: AreaApp<BuilderExtra>): void {
  route(app, {
    id: "getInstantiationStatus",
    method: "GET",
    path: "/templates/tasks/{taskId}/status",
    summary: "Get template instantiation status",
    tags,
    rule: "getInstantiation",
    params: taskParams,
    response: { 200: taskStatus },
    errors: [403, 404],
    async handler(ctx, { params }) {
      return { status: await getStatus(ctx, params.taskId) };
    },
  });
  route(app, {
    id: "streamInstantiationEvents",
    method: "GET",
    path: "/templates/tasks/{taskId}/eventstream",
    summary: "Stream template instantiation events",
    description:
      "Server-Sent Events `log`, `recovered`, `cancelled` and, as the last one, `completion`. `Last-Event-ID` or " +
      "`after` resumes.",
    tags,
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
        { follow: (after) => followTask(ctx, params.taskId, after), records: eventRecords },
      ),
  });
  route(app, {
    id: "getInstantiation",
    method: "GET",
    path: "/templates/tasks/{taskId}",
    summary: "Get a template instantiation with its steps",
    tags,
    rule: "getInstantiation",
    params: taskParams,
    response: { 200: taskDetail },
    errors: [403, 404],
    handler: (ctx, { params }) => getTask(ctx, params.taskId),
  });
  route(app, {
    id: "listInstantiations",
    method: "GET",
    path: "/templates/tasks",
    summary: "List template instantiations",
    description: "The newest first.",
    tags,
    rule: "getInstantiation",
    query: tasksQuery,
    response: { 200: taskList },
    handler: (ctx, { query }) => getTasks(ctx, query),
  });
}

function addTaskChanges(app: AreaApp<BuilderExtra>, deps: DryRunDeps): void {
  route(app, {
    id: "cancelInstantiation",
    method: "POST",
    path: "/templates/tasks/{taskId}/cancel",
    summary: "Cancel a template instantiation",
    description: "The task ends at once; an action under way is aborted.",
    tags,
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
    id: "retryInstantiation",
    method: "POST",
    path: "/templates/tasks/{taskId}/retry",
    summary: "Retry a template instantiation",
    description:
      "Goes on at the step that failed, under the same id. Secrets were forgotten when the task ended and are given anew.",
    tags,
    rule: "instantiateTemplate",
    params: taskParams,
    body: retryBody,
    bodyOptional: true,
    response: { 200: taskId },
    errors: [403, 404, 409],
    async handler(ctx, { params, body }) {
      await retry(ctx, params.taskId, body ?? {});
      return { id: params.taskId };
    },
  });
  route(app, {
    id: "listActions",
    method: "GET",
    path: "/templates/actions",
    summary: "List the actions that templates may use",
    tags,
    rule: "getInstantiation",
    response: {
      200: Type.Array(
        Type.Object({
          id: Type.String(),
          description: Type.String(),
          supportsDryRun: Type.Boolean(),
          input: Type.Record(Type.String(), Type.Unknown()),
          output: Type.Record(Type.String(), Type.Unknown()),
        }),
      ),
    },
    handler: () =>
      [...deps.actions.values()].map(({ id, description, supportsDryRun, input, output = {} }) => ({
        id,
        description,
        supportsDryRun,
        input,
        output,
      })),
  });
}
