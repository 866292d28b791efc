/**
 * How many queries does the data layer answer in a second, compared with resolvers that somebody has written by hand with
 * DataLoader over the same views? One query: 25 products of a domain, each with its domain and five ports; another domain each
 * time. Both
 * run in this process on the same PostgreSQL, in short turns, with the same number of queries under way. The hand-written side checks no
 * limits and begins no transactions; ours does both. Prints the queries a second of each round and the median of the ratios; the
 * goal is at least 1.0.
 *
 *   node bench/graphql.ts [--rounds 71] [--seconds 0.4] [--parallel 8]
 */
import { parseArgs } from "node:util";
import DataLoader from "dataloader";
import { settleGraphileMode } from "../src/platform/config/environment.ts";
import { openDatabase, type Database } from "../src/platform/db/database.ts";
import { migrate } from "../src/platform/db/migrations/migrate.ts";
import { sql } from "../src/platform/db/sql.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { withOwnPostgres } from "../test/support/own-postgres.ts";

settleGraphileMode();
const { buildSchema, execute, parse, validate } = await import("grafast/graphql");
const { buildGraph } = await import("../src/data-layer/graph/build-graph.ts");
const { createDocuments } = await import("../src/data-layer/graph/documents.ts");
const { readerOf } = await import("../src/data-layer/graph/reader-store.ts");
const { openBounds } = await import("../src/data-layer/queries/bounds.ts");

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "71" },
    seconds: { type: "string", default: "0.4" },
    parallel: { type: "string", default: "8" },
  },
});
const rounds = Number(values.rounds);
const roundMs = Number(values.seconds) * 1_000;
const parallel = Number(values.parallel);
const products = 2_000;
const ports = 5;
const page = 25;
const domainCount = 20;

interface Side {
  name: string;
  /** The first products of the domain with that number, as JSON text. */
  ask(domain: number): Promise<string>;
}

await withOwnPostgres("graphql", async (connection) => {
  const database = openDatabase({ connection, log: silentLogger, poolSize: parallel });
  try {
    await migrate(database);
    await fill(database);
    const sides = [await dataLayer(database), handWritten(database)] as const;
    await refuseDifference(sides);
    const ratios: number[] = [];
    for (const side of sides) await perSecond(side, roundMs);
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? sides : [sides[1], sides[0]];
      const found = new Map<string, number>();
      for (const side of order) found.set(side.name, await perSecond(side, roundMs));
      const [ours = 0, theirs = 1] = sides.map(({ name }) => found.get(name) ?? 0);
      ratios.push(ours / theirs);
      console.log(`${ours.toFixed(0)} and ${theirs.toFixed(0)} queries/s: ${(ours / theirs).toFixed(2)}`);
    }
    ratios.sort((one, other) => one - other);
    const median = ratios[Math.floor(ratios.length / 2)] ?? 0;
    console.log(`data layer to hand-written resolvers: ${median.toFixed(2)} (goal at least 1.0)`);
    process.exitCode = median >= 1 ? 0 : 1;
  } finally {
    await database.close();
  }
});

async function fill({ db }: Database): Promise<void> {
  await sql`insert into units (unit_key, environment, unit_id, descriptor, descriptor_version)
    select 'unit-' || lpad(n::text, 6, '0'), 'production', 'unit-' || n, json_build_object('name', 'Unit ' || n, 'kind',
      'dataproduct', 'domain', 'domain-' || n % ${domainCount}::int, 'description', 'What unit ' || n || ' is for.'), '1.0.0'
    from generate_series(1, ${products}::int) as n`.execute(db);
  await sql`insert into unit_components (unit_key, environment, component_key, component_id, name, status, consumable, position,
      descriptor, hash, plan_id)
    select 'unit-' || lpad(n::text, 6, '0'), 'production', 'unit-' || n || ':' || c, 'c', 'Port ' || c, 'DEPLOYED', true, c,
      json_build_object('platform', 'postgres', 'technology', 'table'), 'h', 'p'
    from generate_series(1, ${products}::int) as n, generate_series(1, ${ports}::int) as c`.execute(db);
  await sql`analyze units, unit_components`.execute(db);
}

async function perSecond(side: Side, forMs: number): Promise<number> {
  const began = performance.now();
  let answered = 0;
  let domain = 0;
  const run = async (): Promise<void> => {
    while (performance.now() - began < forMs) {
      domain = (domain + 7) % domainCount;
      await side.ask(domain);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, run));
  return (answered * 1_000) / (performance.now() - began);
}

async function refuseDifference(sides: readonly Side[]): Promise<void> {
  const [one, other] = await Promise.all(sides.map((side) => side.ask(3)));
  const inOrder = (text = ""): string =>
    JSON.stringify(JSON.parse(text)).replaceAll(/"all\w+":|"products":/g, "");
  const names = (text = ""): string =>
    inOrder(text)
      .replaceAll(/"marketplaceDomainByDomain"|"domainOf"/g, '"domain"')
      .replaceAll(/"marketplaceOutput\w+"|"ports"/g, '"ports"');
  if (names(one) !== names(other)) throw new Error(`The sides answer differently: ${one} and ${other}`);
}

async function dataLayer(database: Database): Promise<Side> {
  const names = ["products", "domains", "output_ports", "access_grants"];
  const tables = names.map((name) => ({ schema: "data_layer", name }));
  const graph = await buildGraph([{ name: "marketplace", reader: readerOf(database), tables }]);
  const limits = {
    depth: 12,
    aliases: 30,
    fields: 500,
    cost: 10_000,
    page: 100,
    offset: 10_000,
    tokens: 2_000,
  };
  const documents = createDocuments(graph.schema, limits);
  const query = `query ($domain: String) { allMarketplaceProducts(first: ${page}, condition: {domain: $domain}) { nodes { unitKey name version description
    marketplaceDomainByDomain { name }
    marketplaceOutputPortsByUnitKeyAndEnvironment(first: ${ports}) { nodes { componentKey name platform technology } } } } }`;
  const reader = { "plinth.reads_all": "off", "plinth.domains": "[]", "plinth.actor": "user:default/ada" };
  return {
    name: "data layer",
    async ask(domain) {
      const variables = { domain: `domain-${domain}` };
      const { document, isIntrospection } = documents.read(query, variables);
      const operationName = undefined;
      const bounds = openBounds(new AbortController().signal, { timeoutMs: 60_000, maxLength: 16_000_000 });
      const { data, errors } = await graph.execute({
        document,
        isIntrospection,
        operationName,
        variables,
        reader,
        bounds,
      });
      bounds.close();
      if (data === undefined || errors.length > 0) throw new Error(JSON.stringify(errors));
      return data;
    },
  };
}

interface Product {
  unitKey: string;
  environment: string;
  name: string;
  version: string;
  description: string;
  domain: string | null;
}

interface Port {
  unitKey: string;
  componentKey: string;
  name: string;
  platform: string;
  technology: string;
}

function handWritten({ db }: Database): Side {
  const schema = buildSchema(`
    type Query { products(first: Int!, domain: String!): Products }
    type Products { nodes: [Product!]! }
    type Product { unitKey: String!, name: String, version: String, description: String, domainOf: Domain, ports(first: Int!): Ports }
    type Domain { name: String! }
    type Ports { nodes: [Port!]! }
    type Port { componentKey: String!, name: String, platform: String, technology: String }`);
  const document =
    parse(`query ($domain: String!) { products(first: ${page}, domain: $domain) { nodes { unitKey name version description
    domainOf { name } ports(first: ${ports}) { nodes { componentKey name platform technology } } } } }`);
  if (validate(schema, document).length > 0) throw new Error("The hand-written query is wrong.");
  return {
    name: "hand-written",
    async ask(number) {
      const domains = new DataLoader<string, { name: string } | null>(async (names) => {
        const { rows } = await db.query<{ name: string }>(
          "select name from data_layer.domains where name = any($1::text[])",
          [names],
        );
        const found = new Map(rows.map((row) => [row.name, row]));
        return names.map((name) => found.get(name) ?? null);
      });
      const portsOf = new DataLoader<string, Port[]>(async (keys) => {
        const { rows } = await db.query<Port>(
          `select unit_key as "unitKey", component_key as "componentKey", name, platform, technology from data_layer.output_ports
           where unit_key = any($1::text[]) and environment = 'production' order by unit_key, environment, component_key`,
          [keys],
        );
        const found = Map.groupBy(rows, ({ unitKey }) => unitKey);
        return keys.map((key) => found.get(key) ?? []);
      });
      const resolve = (product: Product) => ({
        ...product,
        domainOf: () => (product.domain === null ? null : domains.load(product.domain)),
        ports: async ({ first }: { first: number }) => ({
          nodes: (await portsOf.load(product.unitKey)).slice(0, first),
        }),
      });
      const rootValue = {
        products: async ({ first, domain }: { first: number; domain: string }) => {
          const { rows } = await db.query<Product>(
            `select unit_key as "unitKey", environment, name, version, description, domain from data_layer.products
             where domain = $2 order by unit_key, environment limit $1`,
            [first, domain],
          );
          return { nodes: rows.map(resolve) };
        },
      };
      const { data, errors } = await execute({
        schema,
        document,
        rootValue,
        variableValues: { domain: `domain-${number}` },
      });
      if (errors) throw errors[0]!;
      return JSON.stringify(data);
    },
  };
}
