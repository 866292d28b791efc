import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AssistantExtra } from "../context.ts";
import { searchAnswer, searchParameters } from "./schema.ts";
import { searchKnowledge } from "./service.ts";

export function addRetrievalRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "searchKnowledge",
    method: "GET",
    path: "/search",
    summary: "Search skills, tools, entities, descriptors and pages",
    description:
      "By words always, and by meaning where an embedder is set. Finds what the caller may read: the best passage of each record, up to two sections of a page.",
    tags: ["Search"],
    rule: "readAssistant",
    query: searchParameters,
    response: { 200: searchAnswer },
    handler: (ctx, { query: { q, kind = [], limit } }) =>
      searchKnowledge(ctx, { query: q, kinds: kind, limit }),
  });
}
