/** Queries that would cost far more than they are worth, with the code of their refusal. */

export interface Bomb {
  what: string;
  code: string;
  query: string;
  variables?: object;
}

const chain = (levels: number): string =>
  levels === 0
    ? "name"
    : `marketplaceDomainByDomain { marketplaceProductsByDomain(first: 1) { nodes { ${chain(levels - 1)} } } }`;
const aliases = (count: number, field: string): string =>
  Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join(" ");
const fragments = (count: number): string =>
  `${Array.from({ length: count }, (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`).join(" ")} ` +
  `fragment F${count} on Query { allMarketplaceDomains(first: 1) { nodes { name } } }`;
const domains = "allMarketplaceDomains(first: 1) { nodes { name } }";
const page = "query ($n: Int) { allMarketplaceProducts(first: $n) { nodes { name } } }";

const ordered =
  "query ($o: [MarketplaceProductOrderBy!]) { allMarketplaceProducts(first: 1, orderBy: $o) { nodes { name } } }";
const conditioned =
  "query ($c: CoordinatorComponentCondition) { allCoordinatorComponents(first: 1, condition: $c) { nodes { name } } }";
const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
const types =
  "types { fields { args { type { name kind } } type { name fields { name description args { name } } } } }";

export const bombs: readonly Bomb[] = [
  {
    what: "depth",
    code: "GRAPHQL_DEPTH",
    query: `{ allMarketplaceProducts(first: 1) { nodes { ${chain(20)} } } }`,
  },
  { what: "aliases", code: "GRAPHQL_ALIASES", query: `{ ${aliases(140, domains)} }` },
  { what: "300 aliases", code: "GRAPHQL_ALIASES", query: `{ ${aliases(300, "__typename")} }` },
  {
    what: "aliases in fragments",
    code: "GRAPHQL_ALIASES",
    query: `{ ...F ...F ...F } fragment F on Query { ${aliases(25, domains)} }`,
  },
  { what: "fragments", code: "GRAPHQL_COST", query: `query { ...F0 } ${fragments(40)}` },
  {
    what: "cost",
    code: "GRAPHQL_COST",
    query:
      "{ allMarketplaceProducts(first: 100) { nodes { marketplaceOutputPortsByUnitKeyAndEnvironment(first: 100) { nodes { name } } } } }",
  },
  { what: "no page", code: "GRAPHQL_PAGE", query: "{ allMarketplaceProducts { nodes { name } } }" },
  {
    what: "an inner list without a page",
    code: "GRAPHQL_PAGE",
    query: "{ allMarketplaceDomains(first: 1) { nodes { marketplaceProductsByDomain { totalCount } } } }",
  },
  { what: "a variable that is not given", code: "GRAPHQL_PAGE", query: page },
  {
    what: "a large page",
    code: "GRAPHQL_PAGE",
    query: "{ allMarketplaceProducts(first: 101) { nodes { name } } }",
  },
  {
    what: "a negative offset",
    code: "GRAPHQL_PAGE",
    query: "{ allMarketplaceProducts(first: 1, offset: -1) { nodes { name } } }",
  },
  { what: "a large page by variable", code: "GRAPHQL_PAGE", query: page, variables: { n: 1_000_000 } },
  {
    what: "a large page by default",
    code: "GRAPHQL_PAGE",
    query: "query ($n: Int = 5000) { allMarketplaceProducts(first: $n) { nodes { name } } }",
  },
  {
    what: "a large last",
    code: "GRAPHQL_PAGE",
    query: "{ allMarketplaceProducts(first: 1, last: 1000) { nodes { name } } }",
  },
  {
    what: "a large offset",
    code: "GRAPHQL_PAGE",
    query: "{ allMarketplaceProducts(first: 1, offset: 2000000) { nodes { name } } }",
  },
  { what: "tokens", code: "GRAPHQL_TOKENS", query: `{ ${"__typename ".repeat(5_000)} }` },
  { what: "nested selections", code: "GRAPHQL_TOKENS", query: "{ a ".repeat(1_500) + "}".repeat(1_500) },
  {
    what: "a long order by variable",
    code: "GRAPHQL_COST",
    query: ordered,
    variables: { o: Array.from({ length: 20_000 }, () => "NAME_ASC") },
  },
  {
    what: "a long order by default",
    code: "GRAPHQL_COST",
    query: ordered.replace(
      "$o: [MarketplaceProductOrderBy!]",
      (type) => `${type} = [${"NAME_ASC ".repeat(21)}]`,
    ),
  },
  {
    what: "a long order",
    code: "GRAPHQL_COST",
    query: ordered.replace("$o)", `[${"NAME_ASC ".repeat(21)}])`).replace(/\(\$o.*?\) \{/, "{"),
  },
  {
    what: "a column that is twice in the order",
    code: "GRAPHQL_COST",
    query: ordered,
    variables: { o: ["NAME_ASC", "DOMAIN_ASC", "NAME_ASC"] },
  },
  {
    what: "a deep condition by variable",
    code: "GRAPHQL_COST",
    query: conditioned,
    variables: { c: { publicInfo: nested(20) } },
  },
  {
    what: "a large condition by variable",
    code: "GRAPHQL_COST",
    query: conditioned,
    variables: { c: { publicInfo: Array.from({ length: 20_000 }, () => 1) } },
  },
  {
    what: "long texts in conditions",
    code: "GRAPHQL_COST",
    query: `query ($c: CoordinatorComponentCondition) { ${Array.from({ length: 30 }, (_, n) => `a${n}: allCoordinatorComponents(first: 1, condition: $c) { nodes { name } }`).join(" ")} }`,
    variables: { c: { name: "x".repeat(200_000) } },
  },
  {
    what: "counts of many lists",
    code: "GRAPHQL_COST",
    query:
      "{ allMarketplaceDomains(first: 100) { nodes { marketplaceProductsByDomain(first: 3) { totalCount nodes { marketplaceOutputPortsByUnitKeyAndEnvironment(first: 1) { totalCount } } } } } }",
  },
  {
    what: "two introspections",
    code: "GRAPHQL_COST",
    query: "{ a: __schema { queryType { name } } b: __schema { queryType { name } } }",
  },
  {
    what: "two introspections by a fragment",
    code: "GRAPHQL_COST",
    query: '{ ...F ...F } fragment F on Query { __type(name: "Query") { name } }',
  },
  {
    what: "a large introspection",
    code: "GRAPHQL_COST",
    query: `{ __schema { ${aliases(20, types)} } }`,
  },
  {
    what: "an introspection that goes in circles",
    code: "GRAPHQL_INVALID",
    query: "{ __schema { types { ...F } } } fragment F on __Type { ofType { ...F } }",
  },
];
