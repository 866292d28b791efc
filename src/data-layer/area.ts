/** The GraphQL data layer as one HTTP interface. */
import type { Area } from "../platform/http/operation.ts";
import { errorObject } from "../platform/http/responses/error-object.ts";
import type { DataLayerDeps, DataLayerExtra } from "./context.ts";
import { dataLayerErrorBody } from "./errors.ts";
import { addQueryRoutes, graphqlBase } from "./queries/routes.ts";
import { addMetadataRoutes } from "./tracking-routes.ts";

export const dataLayerArea = (deps: DataLayerDeps): Area<DataLayerExtra> => ({
  name: "data-layer",
  prefix: "/api/data-layer",
  aliases: [graphqlBase],
  title: "Plinth data layer",
  version: "2.2.0",
  description: "The data of the platform by GraphQL, read-only, and what is tracked for it.",
  errorSchema: errorObject,
  extra: { dataLayer: deps },
  register(app) {
    addQueryRoutes(app);
    addMetadataRoutes(app);
  },
  toBody: dataLayerErrorBody,
});
