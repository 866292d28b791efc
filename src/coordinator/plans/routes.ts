import { Type } from "typebox";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import { linkNext } from "../../platform/http/public-address.ts";
import {
  eventRecords,
  resumeHeaders,
  resumeQuery,
  resumeStream,
} from "../../platform/http/responses/resume-stream.ts";
import type { CoordinatorExtra } from "../context.ts";
import {
  executionPlan,
  executionPlanStatus,
  logEntries,
  logsQuery,
  terminateMode,
  tokenParams,
  planList,
  plansQuery,
} from "./schema.ts";
import { environmentQuery, unitParams } from "../units/schema.ts";
import { followPlan, getLogs, getPlan, listPlans, terminatePlan, terminateUnit } from "./service.ts";

export function addPlanRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "getPlan",
    method: "GET",
    path: "/v1/execution-plans/{token}",
    summary: "Get execution plan",
    tags: ["Execution plans"],
    rule: "getPlan",
    params: tokenParams,
    query: Type.Object({ "include-descriptors": Type.Boolean({ default: true }) }),
    response: { 200: executionPlan },
    errors: [404],
    async handler(ctx, { params, query, reply }) {
      const includeDescriptors = query["include-descriptors"];
      reply.sendJson(await getPlan(ctx, { token: params.token, flavour: "plan", includeDescriptors }));
    },
  });
  route(app, {
    id: "getPlanStatus",
    method: "GET",
    path: "/v1/execution-plans/{token}/status",
    summary: "Get execution plan status",
    tags: ["Execution plans"],
    rule: "getPlanStatus",
    params: tokenParams,
    response: { 200: executionPlanStatus },
    errors: [404],
    async handler(ctx, { params, reply }) {
      const query = { token: params.token, flavour: "status", includeDescriptors: false } as const;
      reply.sendJson(await getPlan(ctx, query));
    },
  });
  addEventStreamRoute(app);
  addTerminationRoute(app);
  route(app, {
    id: "listPlans",
    method: "GET",
    path: "/v1/provisioning-plans",
    summary: "List provisioning plans of a data product",
    tags: ["Execution plans"],
    rule: "listPlans",
    query: plansQuery,
    response: { 200: planList },
    async handler(ctx, { query, reply }) {
      reply.sendJson(await listPlans(ctx, query));
    },
  });
}

function addEventStreamRoute(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "streamPlanEvents",
    method: "GET",
    path: "/v1/execution-plans/{token}/events",
    summary: "Follow an execution plan",
    description:
      "Server-Sent Events `task`, `log` and `plan`; the stream ends with the plan. `Last-Event-ID` or `after` resumes.",
    tags: ["Execution plans"],
    rule: "streamPlanEvents",
    params: tokenParams,
    query: resumeQuery(),
    response: {
      200: { description: "The stream.", contentType: "text/event-stream" },
      204: { description: "The plan has ended and the caller has its last event.", noBody: true },
    },
    headers: resumeHeaders,
    errors: [404],
    handler: (ctx, { params, raw, reply }) =>
      resumeStream(
        { raw, reply },
        { follow: (after) => followPlan(ctx, params.token, after), records: eventRecords },
      ),
  });
}

function addTerminationRoute(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "terminatePlan",
    method: "POST",
    path: "/v1/execution-plans/{token}/terminate",
    summary: "Terminate execution plan",
    tags: ["Execution plans"],
    rule: "terminatePlan",
    params: tokenParams,
    query: Type.Object({ mode: terminateMode }),
    urgent: true,
    response: { 202: Type.String() },
    errors: [404],
    async handler(ctx, { params, query }) {
      await terminatePlan(ctx, params.token, query.mode);
      return params.token;
    },
  });
}

export function addUnitTerminationRoute(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "terminateUnitProvisioning",
    method: "POST",
    path: "/v2/deployment-units/{deployment-unit-id}/provisioning/terminate",
    summary: "Terminate provisioning on a deployment unit",
    tags: ["Deployment units"],
    rule: "terminateUnitProvisioning",
    params: unitParams,
    query: Type.Object({ environment: environmentQuery, mode: terminateMode }),
    urgent: true,
    response: { 202: { description: "The termination was accepted.", noBody: true } },
    handler: (ctx, { params, query }) =>
      terminateUnit(ctx, {
        unitId: params["deployment-unit-id"],
        environment: query.environment,
        mode: query.mode,
      }),
  });
}

export function addLogRoute(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "getPlanLogs",
    method: "GET",
    path: "/v1/logs/{provisioning_plan_id}",
    summary: "Get provisioning plan logs",
    description:
      "The lines in the order of their writing. Where there are more lines than one answer can contain, its `Link` header leads to the " +
      'next lines (`rel="next"`).',
    tags: ["Execution plans"],
    rule: "getPlanLogs",
    params: Type.Object({ provisioning_plan_id: Type.String({ minLength: 1, maxLength: 256 }) }),
    query: logsQuery,
    response: { 200: logEntries },
    errors: [404],
    async handler(ctx, { params, query, reply }) {
      const { level, task_id: taskId, after, limit } = query;
      const token = params.provisioning_plan_id;
      const { text, next } = await getLogs(ctx, { token, level, taskId, after, limit });
      if (next !== null) {
        const more = new URLSearchParams({ level, after: String(next), limit: String(limit) });
        if (taskId !== undefined) more.set("task_id", taskId);
        const path = `${app.area.prefix}/v1/logs/${encodeURIComponent(token)}?${more.toString()}`;
        linkNext(reply, path);
      }
      reply.sendJson(text);
    },
  });
}
