import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { People } from "../parts/people.tsx";
import type { Rule } from "./queries.ts";
import { anyOr, effectWords, operationWords, ownersText } from "./rule-words.ts";

export interface RulesTableProps {
  label: string;
  rules: readonly Rule[];
  /** The place of the first one among all. */
  first: number;
  empty: string;
}

interface Row {
  place: number;
  rule: Rule;
}

export const RulesTable = ({ label, rules, first, empty }: RulesTableProps): ReactNode =>
  rules.length === 0 ? (
    <Text size="sm" c="dimmed">
      {empty}
    </Text>
  ) : (
    <VirtualTable
      label={label}
      columns={columns}
      rows={rules.map((rule, index) => ({ place: first + index, rule }))}
      rowKey={({ place, rule }) => `${place} ${rule.name}`}
    />
  );

const columns: readonly Column<Row>[] = [
  {
    key: "name",
    header: "Rule",
    width: "minmax(0, 2fr)",
    wrap: true,
    cell: ({ place, rule }) => (
      <>
        <Text span c="dimmed" size="sm">
          {place}.
        </Text>{" "}
        {rule.name}
      </>
    ),
  },
  {
    key: "effect",
    header: "Effect",
    width: "10rem",
    cell: ({ rule }) => <StatusBadge status={rule.effect}>{effectWords[rule.effect]}</StatusBadge>,
  },
  {
    key: "operations",
    header: "Operations",
    width: "minmax(0, 1.2fr)",
    wrap: true,
    cell: ({ rule }) =>
      anyOr(
        rule.operations.map((each) => operationWords[each]),
        "all",
      ),
  },
  {
    key: "environments",
    header: "Environments",
    width: "minmax(0, 1fr)",
    wrap: true,
    cell: ({ rule }) => anyOr(rule.environments, "all"),
  },
  {
    key: "domains",
    header: "Domains",
    width: "minmax(0, 0.8fr)",
    wrap: true,
    cell: ({ rule }) => anyOr(rule.domains, "all"),
  },
  {
    key: "owners",
    header: "Units",
    width: "minmax(0, 1fr)",
    wrap: true,
    cell: ({ rule }) => ownersText(rule),
  },
  {
    key: "groups",
    header: "Approved by",
    width: "minmax(0, 1.2fr)",
    wrap: true,
    cell: ({ rule }) =>
      rule.effect === "approval" ? <People refs={rule.groups} none="the owners of the unit" /> : "–",
  },
];
