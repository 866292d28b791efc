import { Type } from "typebox";
import { Failure } from "../../platform/errors/failure.ts";
import { sendJsonPieces } from "../../platform/http/responses/json-pieces.ts";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import { linkNext } from "../../platform/http/public-address.ts";
import type { BuilderExtra } from "../context.ts";
import { toBody } from "../errors.ts";
import {
  ancestryAnswer,
  byQueryAnswer,
  byQueryQuery,
  byRefsAnswer,
  byRefsBody,
  byRefsQuery,
  entitySchema,
  facetsAnswer,
  facetsBody,
  facetsQuery,
  listQuery,
  nameParams,
  partOfEntity,
  predicateQueryBody,
  uidParams,
  validateBody,
} from "./schema.ts";
import {
  getAncestry,
  getEntities,
  getEntitiesByRefs,
  getEntityByName,
  getEntityByUid,
  getFacets,
  queryByPredicate,
  queryEntities,
  queryFacets,
  validateEntity,
} from "./service.ts";

/** Path prefix that clients of the Backstage catalogue expect. */
export const catalogueBase = "/api/catalog";

const common = { base: catalogueBase, tags: ["Catalogue"], rule: "readCatalogue" };

export const addEntityRoutes = (app: AreaApp<BuilderExtra>): void => {
  addEntityLists(app);
  addEntityLookups(app);
  addFacetRoutes(app);
};

const addEntityLists = (app: AreaApp<BuilderExtra>): void => {
  route(app, {
    ...common,
    id: "listEntities",
    method: "GET",
    path: "/entities",
    summary: "List entities",
    description:
      'Without a limit all of them, sent piece by piece. With one a Link header with rel="next" names the next page.',
    query: listQuery,
    response: { 200: Type.Array(partOfEntity) },
    async handler(ctx, { query, raw, reply }) {
      const { json, next, pieces } = await getEntities(ctx, query, raw.url);
      if (pieces !== null) return sendJsonPieces(reply, pieces);
      if (next !== null) linkNext(reply, nextUrl(raw.url, next));
      reply.sendJson(json);
    },
  });
  route(app, {
    ...common,
    id: "queryEntities",
    method: "GET",
    path: "/entities/by-query",
    summary: "List entities page by page, with their number",
    query: byQueryQuery,
    response: { 200: byQueryAnswer },
    async handler(ctx, { query, raw, reply }) {
      reply.sendJson(await queryEntities(ctx, query, raw.url));
    },
  });
  route(app, {
    ...common,
    id: "queryEntitiesByPredicate",
    method: "POST",
    path: "/entities/by-query",
    summary: "List entities for which a predicate holds, page by page",
    body: predicateQueryBody,
    response: { 200: byQueryAnswer },
    async handler(ctx, { body, reply }) {
      reply.sendJson(await queryByPredicate(ctx, body));
    },
  });
};

const addEntityLookups = (app: AreaApp<BuilderExtra>): void => {
  route(app, {
    ...common,
    id: "getEntitiesByRefs",
    method: "POST",
    path: "/entities/by-refs",
    summary: "Read entities by their references",
    query: byRefsQuery,
    body: byRefsBody,
    response: { 200: byRefsAnswer },
    async handler(ctx, { body, raw, reply }) {
      reply.sendJson(await getEntitiesByRefs(ctx, body, raw.url));
    },
  });
  route(app, {
    ...common,
    id: "getEntityByName",
    method: "GET",
    path: "/entities/by-name/{kind}/{namespace}/{name}",
    summary: "Read an entity by its name",
    params: nameParams,
    response: { 200: entitySchema },
    errors: [404],
    async handler(ctx, { params, reply }) {
      reply.sendJson(await getEntityByName(ctx, params));
    },
  });
  route(app, {
    ...common,
    id: "getEntityAncestry",
    method: "GET",
    path: "/entities/by-name/{kind}/{namespace}/{name}/ancestry",
    summary: "Read what an entity was made from",
    params: nameParams,
    response: { 200: ancestryAnswer },
    errors: [404],
    async handler(ctx, { params, reply }) {
      reply.sendJson(await getAncestry(ctx, params));
    },
  });
  route(app, {
    ...common,
    id: "getEntityByUid",
    method: "GET",
    path: "/entities/by-uid/{uid}",
    summary: "Read an entity by its uid",
    params: uidParams,
    response: { 200: entitySchema },
    errors: [404],
    async handler(ctx, { params, reply }) {
      reply.sendJson(await getEntityByUid(ctx, params.uid));
    },
  });
};

const addFacetRoutes = (app: AreaApp<BuilderExtra>): void => {
  route(app, {
    ...common,
    id: "getEntityFacets",
    method: "GET",
    path: "/entity-facets",
    summary: "Count entities by the values of fields",
    query: facetsQuery,
    response: { 200: facetsAnswer },
    handler: (ctx, { query, raw }) => getFacets(ctx, query, raw.url),
  });
  route(app, {
    ...common,
    id: "queryEntityFacets",
    method: "POST",
    path: "/entity-facets",
    summary: "Count entities for which a predicate holds by the values of fields",
    body: facetsBody,
    response: { 200: facetsAnswer },
    handler: (ctx, { body }) => queryFacets(ctx, body),
  });
  route(app, {
    ...common,
    id: "validateEntity",
    method: "POST",
    path: "/validate-entity",
    summary: "Check a document without registering it",
    description: "Besides the usual error body a refusal has `errors`, a list of names and messages.",
    body: validateBody,
    response: { 200: { description: "The document is a valid entity.", noBody: true } },
    errors: [400],
    handler(_ctx, { body, raw, reply }) {
      try {
        validateEntity(body);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const answer = toBody(error, { method: raw.method, url: raw.url });
        const errors = error.problems.map(({ where, message }) => ({
          name: "InputError",
          message: `${where}: ${message}`,
        }));
        reply.sendJson(JSON.stringify({ ...answer.body, errors }), answer.status);
      }
    },
  });
};

const nextUrl = (url: string, after: string): string => {
  const [path = "", query = ""] = url.split("?");
  const rest = query.split("&").filter((pair) => pair !== "" && !/^(?:after|offset)=/.test(pair));
  return `${path}?${[...rest, `after=${after}`].join("&")}`;
};
