import { Code, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { durationText } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { driftSchedulesQuery, type DriftSchedule } from "./queries.ts";
import { cronWords } from "./times/cron.ts";

export const DriftSchedules = (): ReactNode => (
  <Loaded query={useQuery(driftSchedulesQuery)} what="read the schedules of drift checks">
    {({ data }) =>
      data.length === 0 ? (
        <EmptyView title="Drift is looked for on request only" icon="clock">
          The settings name environments that are checked by the clock in{" "}
          <Code>coordinator.drift.schedules</Code>.
        </EmptyView>
      ) : (
        <VirtualTable
          label="Schedules of drift checks"
          columns={columns}
          rows={data}
          rowKey={(row) => `${row.environment} ${row.cron ?? row.everyMinutes}`}
        />
      )
    }
  </Loaded>
);

const minuteMs = 60_000;

const whenOf = ({ cron, everyMinutes, timeZone }: DriftSchedule): string =>
  cron === null
    ? `each unit every ${durationText((everyMinutes ?? 0) * minuteMs)}`
    : `${cronWords(cron)}, ${timeZone}`;

const follows: Record<DriftSchedule["reconcile"], string> = {
  off: "nothing",
  ask: "owners are asked",
  auto: "repaired by itself",
};

const columns: readonly Column<DriftSchedule>[] = [
  {
    key: "environment",
    header: "Environment",
    width: "minmax(0, 1fr)",
    cell: ({ environment }) => (
      <Text span size="sm" fw={550}>
        {environment}
      </Text>
    ),
  },
  { key: "when", header: "Checked", width: "minmax(0, 1.8fr)", wrap: true, cell: whenOf },
  {
    key: "units",
    header: "Units",
    width: "4rem",
    align: "end",
    cell: ({ deploymentUnits }) => deploymentUnits,
  },
  { key: "due", header: "Due now", width: "4.5rem", align: "end", cell: ({ due }) => due },
  { key: "drifted", header: "Drifted", width: "4.5rem", align: "end", cell: ({ drifted }) => drifted },
  { key: "follows", header: "Then", width: "minmax(0, 1fr)", cell: ({ reconcile }) => follows[reconcile] },
  { key: "last", header: "Last run", width: "6.5rem", cell: ({ lastRunAt }) => <TimeAgo at={lastRunAt} /> },
  {
    key: "next",
    header: "Next run",
    width: "6.5rem",
    wrap: true,
    cell: ({ nextRunAt, deploymentUnits }) =>
      deploymentUnits === 0 ? "nothing deployed" : <TimeAgo at={nextRunAt} />,
  },
];
