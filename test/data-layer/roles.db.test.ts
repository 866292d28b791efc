/** Who sees which rows: each role, with and without domains in its token, of the product's views and of tables of others. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DataSource } from "../../src/platform/config/schema/schema-data-layer.ts";
import { startWholeServer, testRoles, tokenOf, type WholeServer } from "../support/server.ts";
import { domains, insertRecords, makeRecords } from "./records.ts";

let server: WholeServer;
const records = makeRecords(60, 11);
/** A user of the database that owns nothing, as row level security needs it. */
const reader = `reader_${randomUUID().slice(0, 8)}`;

const withDomains = ["viewer", "developer"] as const;
const tokenWithDomains = (role: string): string => `test-token-of-${role}-with-domains`;

beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    configure(config) {
      for (const role of withDomains)
        config.auth.providers.service!["default"]!.tokens!.push({
          name: `${role}-with-domains`,
          secret: tokenWithDomains(role),
          roles: [role],
          domains: ["domain:default/Finance", " FLEET "],
        });
      const { host, port, dbname } = config.database.coordinator;
      const url = `postgres://${reader}:reader@${host}:${port}/${dbname}`;
      config.dbs.sources.push(foreign("mart", url), foreign("desk", url));
      config.dataLayer.rowFilters = ["desk"];
    },
  });
  await insertRecords(server.db.database.db, records);
  await server.db.database.pool.query(`
    create role ${reader} login password 'reader';
    create schema mart; create schema desk;
    create table mart.tickets (id int primary key, domain text);
    create table desk.tickets (id int primary key, domain text);
    create table desk.notes (id int primary key, domain text);
    insert into mart.tickets values (1, 'finance'), (2, 'sales');
    insert into desk.tickets values (1, 'finance'), (2, 'sales'), (3, 'fleet');
    insert into desk.notes values (1, 'finance');
    grant usage on schema mart, desk to ${reader};
    grant select on all tables in schema mart, desk to ${reader};
    alter table mart.tickets enable row level security;
    create policy rows on mart.tickets using (true);
    alter table desk.tickets enable row level security;
    create policy rows on desk.tickets using (current_setting('plinth.reads_all', true) = 'on'
      or domain in (select jsonb_array_elements_text(current_setting('plinth.domains', true)::jsonb)));`);
});
afterAll(async () => {
  await server.db.database.pool.query(`drop owned by ${reader}`);
  await server.db.database.pool.query(`drop role ${reader}`);
  await server.close();
});

const foreign = (name: string, url: string): DataSource => ({
  name,
  db: "",
  url,
  variable: `ENGINE_GRAPHQL_${name.toUpperCase()}_DATABASE_URL`,
  isGiven: true,
  isOwn: false,
  allowSchemas: [name],
  excludeSchemas: [],
});

interface Caller {
  name: string;
  token: string;
  /** Null for those who see the rows of all. */
  domains: string[] | null;
}

const isOperator = (role: string): boolean => ["operator", "admin", "service"].includes(role);
const callers: Caller[] = [
  ...testRoles.map((role) => ({ name: role, token: tokenOf(role), domains: isOperator(role) ? null : [] })),
  ...withDomains.map((role) => ({
    name: `${role} of finance and fleet`,
    token: tokenWithDomains(role),
    domains: ["finance", "fleet"],
  })),
];

const ask = (query: string, { token }: Caller) =>
  server.graphql(query, { as: null, headers: { authorization: `Bearer ${token}` } });

const isSeen = ({ domains: own }: Caller, domain: string | null): boolean =>
  own === null || (domain !== null && own.includes(domain));

describe.each(callers)("$name", (caller) => {
  it("sees all that is published", async () => {
    const published = new Set(
      records.components
        .filter(({ status }) => status === "DEPLOYED")
        .map(({ unitKey, environment }) => `${unitKey} ${environment}`),
    );
    const answer = await ask(
      "{ allMarketplaceProducts(first: 1) { totalCount } allMarketplaceDomains(first: 10) { nodes { name } } }",
      caller,
    );
    expect(answer.body.data.allMarketplaceProducts.totalCount).toBe(published.size);
    const named = answer.body.data.allMarketplaceDomains.nodes.map(({ name }: { name: string }) => name);
    expect(named.toSorted()).toEqual([...domains].toSorted());
  });

  it("sees the operational rows of its domains, or all", async () => {
    const answer = await ask(
      "{ allCoordinatorDeploymentUnits(first: 100) { totalCount nodes { unitId environment domain } } }",
      caller,
    );
    const { totalCount, nodes } = answer.body.data.allCoordinatorDeploymentUnits;
    const expected = records.units.filter(({ domain }) => isSeen(caller, domain));
    expect(totalCount).toBe(expected.length);
    const key = ({ unitId, environment }: { unitId: string; environment: string }): string =>
      `${unitId} ${environment}`;
    expect(nodes.map(key).toSorted()).toEqual(expected.map(key).toSorted());
  });

  it("sees tables of others where its role or a filter of rows allows it", async () => {
    const isForAll = caller.domains === null;
    for (const [list, ids] of [
      // It filters its rows, but is not listed as a source that does.
      ["allMartTickets", isForAll ? [1, 2] : null],
      ["allDeskNotes", isForAll ? [1] : null],
      [
        "allDeskTickets",
        ["finance", "sales", "fleet"].flatMap((domain, at) => (isSeen(caller, domain) ? [at + 1] : [])),
      ],
    ] as const) {
      const answer = await ask(
        `{ ${list}(first: 10, orderBy: PRIMARY_KEY_ASC) { nodes { rowId } } }`,
        caller,
      );
      if (ids === null)
        expect([answer.status, answer.body.errors[0].extensions.code], list).toEqual([
          400,
          "GRAPHQL_INVALID",
        ]);
      else
        expect(
          answer.body.data[list].nodes.map(({ rowId }: { rowId: number }) => rowId),
          list,
        ).toEqual(ids);
    }
  });
});
