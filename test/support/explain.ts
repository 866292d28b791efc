/** What a statement reads, as the database explains it. */
import type { Db } from "../../src/platform/db/database.ts";
import { sql, type Sql } from "../../src/platform/db/sql.ts";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

/** What the statement did: nodes that read a table without an index, indexes that it used, and rows it touched. */
export async function explainIn(db: Db, statement: Sql) {
  const { rows: lines } = await sql<{ "QUERY PLAN": { Plan: PlanNode }[] }>`explain (analyze, format json)
    ${statement}`.execute(db);
  const nodes: PlanNode[] = [];
  const visit = (node: PlanNode): void => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  visit(lines[0]!["QUERY PLAN"][0]!.Plan);
  const touchedOf = (relation?: string): number =>
    nodes
      .filter((node) => node["Relation Name"] !== undefined)
      .filter((node) => relation === undefined || node["Relation Name"] === relation)
      .reduce(
        (sum, node) =>
          sum + node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)),
        0,
      );
  return {
    scans: nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"]),
    indexes: new Set(nodes.map((node) => node["Index Name"])),
    touched: touchedOf(),
    /** Of one table alone. */
    touchedOf,
  };
}
