import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { BuilderExtra } from "../../context.ts";
import { catalogueBase } from "../routes.ts";
import { nameParams, refreshBody, uidParams } from "../schema.ts";
import { analyzeLocation } from "./analyze.ts";
import { queryLocations } from "./query-locations.ts";
import {
  analysisAnswer,
  analyzeBody,
  locationBody,
  locationParams,
  locationQuery,
  locationsAnswer,
  locationSchema,
  locationsPage,
  locationsQueryBody,
  registrationAnswer,
} from "./schema.ts";
import {
  getLocation,
  getLocationOfEntity,
  getLocations,
  refreshEntity,
  registerNewLocation,
  removeEntity,
  tryLocation,
  unregisterLocation,
  updateLocation,
} from "./service.ts";

const common = { base: catalogueBase, tags: ["Catalogue"] };

export const addLocationRoutes = (app: AreaApp<BuilderExtra>): void => {
  addLocationCollection(app);
  addSingleLocation(app);
  addEntityChanges(app);
};

const addLocationCollection = (app: AreaApp<BuilderExtra>): void => {
  route(app, {
    ...common,
    id: "listLocations",
    method: "GET",
    path: "/locations",
    summary: "List locations",
    rule: "readCatalogue",
    response: { 200: locationsAnswer },
    handler: async (ctx) => (await getLocations(ctx)).map((data) => ({ data })),
  });
  route(app, {
    ...common,
    id: "registerLocation",
    method: "POST",
    path: "/locations",
    summary: "Register a location",
    description:
      "Reads the location and stores its entities. An entity that is not valid, or belongs to another location already, " +
      "is left out; the location's `problems` say so. Where no entity is valid, or the location has users or groups and may " +
      "not bring them, the answer is 400 and nothing is registered.",
    rule: "registerLocation",
    query: locationQuery,
    body: locationBody,
    response: { 201: registrationAnswer },
    errors: [409],
    handler: (ctx, { body, query }) =>
      query.dryRun ? tryLocation(ctx, body) : registerNewLocation(ctx, body, query.onConflict),
  });
  route(app, {
    ...common,
    id: "queryLocations",
    method: "POST",
    path: "/locations/by-query",
    summary: "List locations for which a predicate holds, page by page",
    rule: "readCatalogue",
    body: locationsQueryBody,
    response: { 200: locationsPage },
    handler: (ctx, { body }) => queryLocations(ctx, body),
  });
  route(app, {
    ...common,
    id: "analyzeLocation",
    method: "POST",
    path: "/analyze-location",
    summary: "See which entities stand at an address",
    description: "Nothing is written. Where there are no entities, one is suggested.",
    rule: "registerLocation",
    body: analyzeBody,
    response: { 200: analysisAnswer },
    handler: (ctx, { body }) => analyzeLocation(ctx, body),
  });
};

const addSingleLocation = (app: AreaApp<BuilderExtra>): void => {
  route(app, {
    ...common,
    id: "getLocation",
    method: "GET",
    path: "/locations/{id}",
    summary: "Read a location",
    rule: "readCatalogue",
    params: locationParams,
    response: { 200: locationSchema },
    errors: [404],
    handler: (ctx, { params }) => getLocation(ctx, params.id),
  });
  route(app, {
    ...common,
    id: "updateLocation",
    method: "PUT",
    path: "/locations/{id}",
    summary: "Have a location lead to another target",
    description:
      "The new target is read at once. Entities that it has too stay what they are; the others are orphans from then on. A target " +
      "that could not be registered is refused.",
    rule: "updateLocation",
    params: locationParams,
    body: locationBody,
    response: { 200: locationSchema },
    errors: [404, 409],
    handler: (ctx, { params, body }) => updateLocation(ctx, params.id, body),
  });
  route(app, {
    ...common,
    id: "getLocationByEntity",
    method: "GET",
    path: "/locations/by-entity/{kind}/{namespace}/{name}",
    summary: "Read the location of an entity",
    rule: "readCatalogue",
    params: nameParams,
    response: { 200: locationSchema },
    errors: [404],
    handler: (ctx, { params }) => getLocationOfEntity(ctx, params),
  });
  route(app, {
    ...common,
    id: "unregisterLocation",
    method: "DELETE",
    path: "/locations/{id}",
    summary: "Unregister a location and its entities",
    rule: "unregisterLocation",
    params: locationParams,
    response: { 204: { description: "It is unregistered.", noBody: true } },
    errors: [404],
    handler: (ctx, { params }) => unregisterLocation(ctx, params.id),
  });
};

const addEntityChanges = (app: AreaApp<BuilderExtra>): void => {
  route(app, {
    ...common,
    id: "removeEntity",
    method: "DELETE",
    path: "/entities/by-uid/{uid}",
    summary: "Remove an entity",
    description:
      "For orphans. An entity that its location still contains is restored when the location is read again.",
    rule: "unregisterLocation",
    params: uidParams,
    response: { 204: { description: "It is removed.", noBody: true } },
    errors: [404],
    handler: (ctx, { params }) => removeEntity(ctx, params.uid),
  });
  route(app, {
    ...common,
    id: "refreshEntity",
    method: "POST",
    path: "/refresh",
    summary: "Have the location of an entity read again",
    rule: "refreshEntity",
    body: refreshBody,
    response: { 200: { description: "It will be read soon.", noBody: true } },
    errors: [404],
    handler: (ctx, { body }) => refreshEntity(ctx, body.entityRef),
  });
};
