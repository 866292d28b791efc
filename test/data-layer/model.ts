/**
 * What the data layer must answer, computed from the records alone: lists filtered, ordered and cut as a naive program
 * would do it, for a reader of some domains.
 */
import type { Records } from "./records.ts";

export type Row = Record<string, unknown>;

export interface Reader {
  name: string;
  token: string;
  /** null reads everything. */
  domains: readonly string[] | null;
}

interface Relation {
  to: TableName;
  isSingle: boolean;
  matches: (from: Row, to: Row) => boolean;
}

export interface Table {
  list: string;
  columns: readonly string[];
  /** The key, by which rows without another order are ordered. */
  key: readonly string[];
  rows: (records: Records) => Row[];
  /** Whether only rows of the reader's domains are shown. */
  isOperational: boolean;
  relations: Record<string, Relation>;
}

const sameUnit = (from: Row, to: Row): boolean =>
  from["unitKey"] === to["unitKey"] && from["environment"] === to["environment"];
const samePart = (from: Row, to: Row): boolean =>
  sameUnit(from, to) && from["componentKey"] === to["componentKey"];
const sameDomain = (from: Row, to: Row): boolean => from["domain"] !== null && from["domain"] === to["name"];

const place = ({ unitKey, environment }: { unitKey: string | null; environment: string }): string =>
  `${environment} ${unitKey}`;

const deployedUnits = ({ components }: Records): Set<string> =>
  new Set(components.filter(({ status }) => status === "DEPLOYED").map(place));

const domainOf = (records: Records) => {
  const domains = new Map(records.units.map((unit) => [place(unit), unit.domain]));
  return (at: { unitKey: string | null; environment: string }): string | null =>
    domains.get(place(at)) ?? null;
};

const productColumns = ["unitKey", "environment", "unitId", "name", "kind", "owner", "domain"] as const;

export const tables = {
  products: {
    list: "allMarketplaceProducts",
    columns: [...productColumns, "version", "description"],
    key: ["unitKey", "environment"],
    isOperational: false,
    rows(records) {
      const deployed = deployedUnits(records);
      return records.units.filter((unit) => deployed.has(place(unit))).map((unit) => ({ ...unit }));
    },
    relations: {
      marketplaceDomainByDomain: { to: "domains", isSingle: true, matches: sameDomain },
      marketplaceOutputPortsByUnitKeyAndEnvironment: { to: "ports", isSingle: false, matches: sameUnit },
    },
  },
  domains: {
    list: "allMarketplaceDomains",
    columns: ["name", "productCount"],
    key: ["name"],
    isOperational: false,
    rows(records) {
      const counts = Map.groupBy(tables.products.rows(records), ({ domain }) => domain);
      return [...counts].flatMap(([name, list]) =>
        name === null ? [] : [{ name, productCount: list.length }],
      );
    },
    relations: {
      marketplaceProductsByDomain: {
        to: "products",
        isSingle: false,
        matches: (from, to) => sameDomain(to, from),
      },
    },
  },
  ports: {
    list: "allMarketplaceOutputPorts",
    columns: ["unitKey", "environment", "componentKey", "name", "platform", "position"],
    key: ["unitKey", "environment", "componentKey"],
    isOperational: false,
    rows: ({ components }) =>
      components
        .filter(({ status, consumable }) => status === "DEPLOYED" && consumable)
        .map((each) => ({ ...each })),
    relations: {
      marketplaceProductByUnitKeyAndEnvironment: { to: "products", isSingle: true, matches: sameUnit },
      marketplaceAccessGrantsByUnitKeyAndEnvironmentAndComponentKey: {
        to: "grants",
        isSingle: false,
        matches: samePart,
      },
    },
  },
  grants: {
    list: "allMarketplaceAccessGrants",
    columns: ["unitKey", "environment", "componentKey", "identity", "domain"],
    key: ["unitKey", "environment", "componentKey", "identity"],
    isOperational: true,
    rows: (records) => records.grants.map((grant) => ({ ...grant, domain: domainOf(records)(grant) })),
    relations: {
      marketplaceOutputPortByUnitKeyAndEnvironmentAndComponentKey: {
        to: "ports",
        isSingle: true,
        matches: samePart,
      },
    },
  },
  units: {
    list: "allCoordinatorDeploymentUnits",
    columns: [...productColumns, "descriptorVersion"],
    key: ["unitKey", "environment"],
    isOperational: true,
    rows: ({ units }) => units.map((unit) => ({ ...unit, descriptorVersion: unit.version })),
    relations: {
      coordinatorComponentsByUnitKeyAndEnvironment: { to: "components", isSingle: false, matches: sameUnit },
    },
  },
  components: {
    list: "allCoordinatorComponents",
    columns: ["unitKey", "environment", "componentKey", "name", "status", "consumable", "position", "domain"],
    key: ["unitKey", "environment", "componentKey"],
    isOperational: true,
    rows: (records) => records.components.map((each) => ({ ...each, domain: domainOf(records)(each) })),
    relations: {
      coordinatorDeploymentUnitByUnitKeyAndEnvironment: { to: "units", isSingle: true, matches: sameUnit },
    },
  },
  plans: {
    list: "allCoordinatorDeploymentPlans",
    columns: ["rowId", "unitKey", "environment", "action", "status", "domain"],
    key: ["rowId"],
    isOperational: true,
    rows: (records) =>
      records.plans.map((plan) => ({ ...plan, rowId: plan.id, domain: domainOf(records)(plan) })),
    relations: {},
  },
} satisfies Record<string, Table> as Record<TableName, Table>;
export type TableName = "products" | "domains" | "ports" | "grants" | "units" | "components" | "plans";

/** A list, or a single row, that a query asks for. */
export interface Selection {
  table: TableName;
  isSingle: boolean;
  fields: string[];
  /** By the name of the relation's field. */
  related: Record<string, Selection>;
  /** Of a list. */
  page: { first?: number; last?: number; offset?: number };
  condition: Record<string, unknown>;
  order: { column: string; isDescending: boolean }[];
  hasTotal: boolean;
}

/** All rows of a table that the reader may see; computed once for each reader. */
export function visibleRows(records: Records, reader: Reader): Record<TableName, Row[]> {
  const entries = Object.entries(tables).map(([name, table]) => {
    const rows = table.rows(records);
    const { domains } = reader;
    const seen = rows.filter(
      ({ domain }) => !table.isOperational || domains === null || domains.includes(String(domain)),
    );
    return [name, seen];
  });
  return Object.fromEntries(entries) as Record<TableName, Row[]>;
}

export function answerOf(
  selection: Selection,
  seen: Record<TableName, Row[]>,
  from?: [string, Row, Table],
): unknown {
  const table = tables[selection.table];
  const relation = from && from[2].relations[from[0]];
  const related = seen[selection.table].filter((row) => !relation || relation.matches(from[1], row));
  if (selection.isSingle) return related[0] === undefined ? null : shown(related[0], selection, seen);
  const wanted = Object.entries(selection.condition);
  const rows = related.filter((row) => wanted.every(([column, value]) => row[column] === value));
  const order = [...selection.order, ...table.key.map((column) => ({ column, isDescending: false }))];
  rows.sort((one, other) => {
    for (const { column, isDescending } of order) {
      const difference = compare(one[column], other[column]);
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  });
  const { first, last, offset = 0 } = selection.page;
  const skipped = rows.slice(offset);
  const page =
    last === undefined ? skipped.slice(0, first) : skipped.slice(Math.max(0, skipped.length - last));
  return {
    ...(selection.hasTotal ? { totalCount: rows.length } : {}),
    nodes: page.map((row) => shown(row, selection, seen)),
  };
}

function shown(row: Row, selection: Selection, seen: Record<TableName, Row[]>): Row {
  const table = tables[selection.table];
  const fields = selection.fields.map((field) => [field, row[field] ?? null]);
  const related = Object.entries(selection.related).map(([name, inner]) => [
    name,
    answerOf(inner, seen, [name, row, table]),
  ]);
  return Object.fromEntries([...fields, ...related]) as Row;
}

/** As the database orders: nulls after everything, texts by their bytes. */
function compare(one: unknown, other: unknown): number {
  if (one === other) return 0;
  if (one === null || one === undefined) return 1;
  if (other === null || other === undefined) return -1;
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "boolean") return one ? 1 : -1;
  return Buffer.compare(Buffer.from(textOf(one)), Buffer.from(textOf(other)));
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
