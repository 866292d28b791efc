/** Queries that the data layer takes and refuses, and what it tracks. */
import { createHash } from "node:crypto";
import type { WholeServer } from "../support/server.ts";
import type { Operation } from "./document.ts";

const queries = [
  "{ __typename }",
  "{ allMarketplaceProducts(first: 5) { totalCount nodes { unitId name } } }",
  "query Drawn { allCoordinatorComponents(first: 3) { nodes { componentId status } } }",
  "query ($domain: String) { allCgpPolicyResults(first: 2, condition: { domain: $domain }) { totalCount } }",
];
const refused = [
  "{ allMarketplaceProducts { totalCount } }",
  "{ nothing }",
  "{",
  "mutation { a }",
  "query A { __typename } query B { __typename }",
];

export async function readTracked(
  server: WholeServer,
): Promise<(operation: Operation, name: string) => readonly unknown[] | null> {
  const answer = await fetch(`${server.url}/api/data-layer/metadata/export`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token("admin")}` },
  });
  const { sources } = (await answer.json()) as { sources: { name: string }[] };
  const known: Record<string, readonly unknown[]> = {
    query: [...queries, ...queries, ...queries, ...refused],
    variables: [null, {}, {}, { domain: "finance" }],
    operationName: [null, null, null, null, "Drawn"],
    extensions: [
      null,
      null,
      null,
      { persistedQuery: { version: 1, sha256Hash: createHash("sha256").update(queries[0]!).digest("hex") } },
    ],
    sources: [sources, sources, sources, [], [{ name: "none", tables: [] }]],
    revision: [1],
  };
  return ({ path }, name) =>
    path === "/graphql" || path.startsWith("/api/data-layer") ? (known[name] ?? null) : null;
}
