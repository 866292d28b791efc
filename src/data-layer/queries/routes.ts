import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { DataLayerExtra } from "../context.ts";
import { graphqlAnswer, graphqlRefusal, graphqlRequest } from "./schema.ts";
import { answerQuery } from "./service.ts";

export const graphqlBase = "/graphql";

export function addQueryRoutes(app: AreaApp<DataLayerExtra>): void {
  route(app, {
    id: "queryDataLayer",
    base: graphqlBase,
    method: "POST",
    path: "",
    summary: "Read the data of the platform by GraphQL",
    description:
      "Reads only. Everybody sees what is published; operational rows are those of the domains in the caller's token, and all " +
      "of them for operators. Queries beyond the limits are refused before anything is read. The schema is " +
      "docs/reference/data-layer.graphql, and introspection answers it.",
    tags: ["Queries"],
    rule: "queryDataLayer",
    body: graphqlRequest,
    bodyLimitBytes: 262_144,
    response: { 200: graphqlAnswer },
    errorBody: graphqlRefusal,
    errors: [404],
    async handler(ctx, { body, reply }) {
      reply.sendJson(await answerQuery(ctx, body));
    },
  });
}
