import { Badge, Text } from "@mantine/core";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import type { Tone } from "../../../app/theme/colours.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { componentNameOf } from "../names.ts";

export type Change = CoordinatorComponents["schemas"]["PlannedChange"];

export const actionTones: Record<Change["action"], Tone> = {
  DEPLOY: "good",
  REDEPLOY: "accent",
  UNDEPLOY: "warn",
  NONE: "gray",
};

const actionSigns: Record<Change["action"], string> = {
  DEPLOY: "+",
  REDEPLOY: "↻",
  UNDEPLOY: "−",
  NONE: "=",
};

export const actionWord = (action: Change["action"]): string =>
  action === "NONE" ? "Nothing" : wordsOf(action);

export interface ChangesTableProps {
  label: string;
  changes: readonly Change[];
  /** Components whose change is another one than in the preview before. */
  moved?: ReadonlySet<string>;
}

export const ChangesTable = ({ label, changes, moved }: ChangesTableProps): ReactNode => (
  <VirtualTable
    label={label}
    columns={moved === undefined || moved.size === 0 ? columns : [...columns, movedColumn(moved)]}
    rows={changes}
    rowKey={({ componentId }) => componentId}
  />
);

const columns: readonly Column<Change>[] = [
  {
    key: "component",
    header: "Component",
    width: "minmax(0, 1.4fr)",
    cell: ({ componentId }) => (
      <Text span size="sm" fw={550} title={componentId}>
        {componentNameOf(componentId)}
      </Text>
    ),
  },
  {
    key: "action",
    header: "Action",
    width: "8rem",
    cell: ({ action }) => (
      <Badge color={actionTones[action]} leftSection={<span aria-hidden>{actionSigns[action]}</span>}>
        {actionWord(action)}
      </Badge>
    ),
  },
  {
    key: "reason",
    header: "Why",
    width: "minmax(0, 2fr)",
    cell: ({ reason, additionalReasons }) => [reason, ...additionalReasons].map(wordsOf).join(", "),
  },
  {
    key: "after",
    header: "Comes after",
    width: "minmax(0, 1.4fr)",
    cell: ({ dependantOn }) => (dependantOn.length === 0 ? "–" : dependantOn.map(componentNameOf).join(", ")),
  },
];

const movedColumn = (moved: ReadonlySet<string>): Column<Change> => ({
  key: "moved",
  header: "Since the preview",
  width: "8rem",
  cell: ({ componentId }) => (moved.has(componentId) ? <StatusBadge status="Changed" tone="warn" /> : ""),
});
