/** Names of schemas in the interface's document, each by a place where its schema is (platform/http/document). */
export const schemaNames: Record<string, string> = {
  GraphqlRequest: "queryDataLayer request",
  GraphqlAnswer: "queryDataLayer 200",
  GraphqlRefusal: "queryDataLayer 400",
  GraphqlError: "queryDataLayer 200 errors []",
  GraphqlErrorPlace: "queryDataLayer 200 errors [] locations []",
  GraphqlErrorCode: "queryDataLayer 200 errors [] extensions",
  Metadata: "getDataLayerMetadata 200",
  MetadataExport: "exportDataLayerMetadata 200",
};
