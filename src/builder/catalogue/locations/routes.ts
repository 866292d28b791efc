import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { BuilderExtra } from "../../context.ts";
import { catalogueBase } from "../reading/routes.ts";
import { nameParams, refreshBody, uidParams } from "../reading/schema.ts";
import {
  locationBody,
  locationParams,
  locationQuery,
  locationsAnswer,
  locationSchema,
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
} from "./service.ts";

const common = { base: catalogueBase, tags: ["catalogue"] };

export const addLocationRoutes = (app: AreaApp<BuilderExtra>): void => {
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
      "Reads the location and takes its entities in. An entity that another location has already stays with that; the " +
      "location's `problems` say so.",
    rule: "registerLocation",
    query: locationQuery,
    body: locationBody,
    response: { 201: registrationAnswer },
    errors: [409],
    handler: (ctx, { body, query }) =>
      query.dryRun ? tryLocation(ctx, body) : registerNewLocation(ctx, body),
  });
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
  route(app, {
    ...common,
    id: "removeEntity",
    method: "DELETE",
    path: "/entities/by-uid/{uid}",
    summary: "Remove an entity",
    description: "For orphans. One that its location still holds comes back when that is read again.",
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
