import { route, type AreaApp } from "../platform/http/operation.ts";
import type { DataLayerExtra } from "./context.ts";
import { metadata, metadataExport } from "./tracking-schema.ts";
import {
  exportMetadata,
  replaceMetadata,
  resetMetadata,
  restoreMetadata,
  showMetadata,
} from "./tracking-service.ts";

const tags = ["Metadata"];

export function addMetadataRoutes(app: AreaApp<DataLayerExtra>): void {
  route(app, {
    id: "getDataLayerMetadata",
    method: "GET",
    path: "/metadata",
    summary: "Say what the data layer shows, and what it can't",
    tags,
    rule: "getDataLayerMetadata",
    response: { 200: metadata },
    handler: showMetadata,
  });
  route(app, {
    id: "exportDataLayerMetadata",
    method: "POST",
    path: "/metadata/export",
    summary: "Export what is tracked",
    tags,
    rule: "manageDataLayer",
    response: { 200: metadataExport },
    handler: exportMetadata,
  });
  route(app, {
    id: "resetDataLayerMetadata",
    method: "POST",
    path: "/metadata/reset",
    summary: "Track nothing any more",
    description:
      "Queries are answered 503 until the metadata is restored or, with dataLayer.autoTracking, until a process starts that " +
      "tracks the databases anew, as the one after an upgrade does.",
    tags,
    rule: "manageDataLayer",
    response: { 200: metadata },
    handler: resetMetadata,
  });
  route(app, {
    id: "restoreDataLayerMetadata",
    method: "POST",
    path: "/metadata/restore",
    summary: "Restore what an export has answered",
    description:
      "With dataLayer.autoTracking it ends a reset, and is refused where there was none: the metadata follows the databases.",
    tags,
    rule: "manageDataLayer",
    body: metadataExport,
    bodyLimitBytes: 2_097_152,
    response: { 200: metadata },
    errors: [409],
    handler: (ctx, { body }) => restoreMetadata(ctx, body),
  });
  route(app, {
    id: "replaceDataLayerMetadata",
    method: "PUT",
    path: "/metadata",
    summary: "Say what is tracked, where it does not follow the databases",
    tags,
    rule: "manageDataLayer",
    body: metadataExport,
    bodyLimitBytes: 2_097_152,
    response: { 200: metadata },
    errors: [409],
    handler: (ctx, { body }) => replaceMetadata(ctx, body),
  });
}
