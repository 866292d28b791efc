import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { GovernanceExtra } from "../context.ts";
import {
  evaluateBody,
  evaluationReport,
  reportParams,
  startedReport,
  trialBody,
  trialResults,
} from "./schema.ts";
import { readReportText, startEvaluation } from "./service.ts";
import { startTrial, testPolicy } from "./trial.ts";

const tags = ["Evaluations"];

export function addTrialRoutes(app: AreaApp<GovernanceExtra>): void {
  route(app, {
    id: "testPolicy",
    method: "POST",
    path: "/policies/test",
    summary: "Test a policy on a descriptor, or try it on everything that is deployed",
    description:
      "On a descriptor it answers 200 with the results; with everything: true it answers 202 with the id of a report that lists who would be hit. Neither stores results.",
    tags,
    rule: "testPolicy",
    body: trialBody,
    response: { 200: trialResults, 202: startedReport },
    errors: [403, 404, 429],
    async handler(ctx, { body, reply }) {
      if (body.everything === true) reply.sendJson(JSON.stringify(await startTrial(ctx, body)), 202);
      else return testPolicy(ctx, body);
      return undefined;
    },
  });
}

export function addReportRoutes(app: AreaApp<GovernanceExtra>): void {
  route(app, {
    id: "startEvaluation",
    method: "POST",
    path: "/evaluate",
    summary: "Evaluate a resource",
    description:
      "All active policies in force that are about the resource, and about its components where it is a unit. Answers the id of the report at once.",
    tags,
    rule: "startEvaluation",
    body: evaluateBody,
    response: { 202: startedReport },
    errors: [429],
    handler: (ctx, { body }) => startEvaluation(ctx, body),
  });
  route(app, {
    id: "getEvaluationReport",
    method: "GET",
    path: "/evaluation-reports/{id}",
    summary: "Get an evaluation report",
    description:
      "It is pending until all of it was evaluated; reports are kept for governance.evaluations.reportDays.",
    tags,
    rule: "getEvaluationReport",
    params: reportParams,
    response: { 200: evaluationReport },
    errors: [404],
    async handler(ctx, { params, reply }) {
      reply.sendJson(await readReportText(ctx, params.id));
    },
  });
}
