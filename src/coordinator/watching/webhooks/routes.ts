import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../../context.ts";
import { deliveryList, deliveryListQuery, replayAnswer, replayBody, webhookList } from "./schema.ts";
import { listWebhookDeliveries, listWebhooks, replayDeliveries } from "./service.ts";

const tags = ["Webhooks"];

export function addWebhookRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listWebhooks",
    method: "GET",
    path: "/v1/webhooks",
    summary: "List webhooks",
    description: "Those of the configuration, with how many deliveries of each are pending or were given up.",
    tags,
    rule: "listWebhooks",
    response: { 200: webhookList },
    handler: (ctx) => listWebhooks(ctx),
  });
  route(app, {
    id: "listWebhookDeliveries",
    method: "GET",
    path: "/v1/webhook-deliveries",
    summary: "List webhook deliveries",
    description: "Deliveries that were sent, are pending or were given up; the latest first.",
    tags,
    rule: "listWebhookDeliveries",
    query: deliveryListQuery,
    response: { 200: deliveryList },
    handler: (ctx, { query }) =>
      listWebhookDeliveries(ctx, {
        webhook: query.webhook,
        status: query.status,
        limit: query.limit,
        after: query.after,
      }),
  });
  route(app, {
    id: "replayWebhookDeliveries",
    method: "POST",
    path: "/v1/webhook-deliveries/replay",
    summary: "Send events to a webhook again",
    description: "One event by its delivery, or those of a period. Their ids stay the same. Audited.",
    tags,
    rule: "replayWebhookDeliveries",
    body: replayBody,
    response: { 202: replayAnswer },
    errors: [404, 409],
    handler: (ctx, { body }) => replayDeliveries(ctx, body),
  });
}
