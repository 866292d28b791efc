/** What the examples of the interface's document are made of (platform/http/document/examples.ts). */
export const exampleValues: Record<string, unknown> = {
  query:
    "query Products($domain: String) { allMarketplaceProducts(first: 10, condition: { domain: $domain }) { nodes { name } } }",
  variables: { domain: "finance" },
  operationName: "Products",
  extensions: {},
  data: { allMarketplaceProducts: { nodes: [{ name: "Orders" }] } },
  revision: 3,
  name: "marketplace",
  source: "marketplace",
  schema: "data_layer",
  schemas: ["data_layer"],
  tables: [{ schema: "data_layer", name: "products" }],
  roles: ["viewer", "developer", "operator", "admin", "service"],
  code: "GRAPHQL_PAGE",
  message: "allMarketplaceProducts has neither first nor last; give one of at most 100.",
};
