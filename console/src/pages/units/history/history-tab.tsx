import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { Duration, TimeAgo } from "../../../parts/values/times.tsx";
import { shortReference } from "../names.ts";
import { historyQuery, historySize, type Operation, type Unit } from "../unit/queries.ts";
import { useHere } from "../unit/use-unit.ts";
import { PermissionNote, usePermission } from "../unit/who-may.tsx";
import classes from "./history.module.css";
import { RollBackDialog } from "./roll-back.tsx";

const route = getRouteApi("/units/$unitId");

/** What was started on the unit in the chosen environment, the latest first, and the way back. */
export const HistoryTab = ({ unit }: { unit: Unit }): ReactNode => {
  const id = unit.deploymentUnitId;
  const { environment, here } = useHere(unit);
  const { rollback } = route.useSearch();
  const navigate = route.useNavigate();
  const permission = usePermission(id, environment, "rollBack", "roll it back");
  const choose = (value: string | undefined): void =>
    void navigate({
      search: (previous) => ({ ...previous, rollback: value }),
      resetScroll: false,
    });
  return (
    <Loaded query={useQuery(historyQuery(id, environment))} what="list what was started">
      {({ data }) => {
        if (data.length === 0)
          return <EmptyView title={`Nothing was started in ${environment} yet`} icon="plan" />;
        const target = data.find(({ operation }) => operation.operationId === rollback);
        const canRollBack = (each: Operation): boolean =>
          permission.isAllowed &&
          each.operation.provisioningAction === "DEPLOY" &&
          each.operation.status === "SUCCEEDED" &&
          each.operation.executionPlanId !== here?.executionPlanId;
        return (
          <>
            <PermissionNote {...permission} />
            <VirtualTable
              label={`History in ${environment}`}
              columns={columnsOf(canRollBack, choose)}
              rows={data}
              rowKey={({ operation }) => operation.operationId}
            />
            {data.length === historySize && (
              <Text size="sm" c="dimmed" mt="xs">
                These are the last {historySize}.
              </Text>
            )}
            {target !== undefined && (
              <RollBackDialog target={target.operation} onClose={() => choose(undefined)} />
            )}
          </>
        );
      }}
    </Loaded>
  );
};

const columnsOf = (
  canRollBack: (operation: Operation) => boolean,
  choose: (operationId: string) => void,
): Column<Operation>[] => [
  {
    key: "what",
    header: "What",
    width: "minmax(0, 1.3fr)",
    cell: ({ operation }) => (
      <PageLink to="/plans/$planId" params={{ planId: operation.executionPlanId }} fw={550}>
        {wordsOf(operation.provisioningAction)} {operation.descriptorVersion}
      </PageLink>
    ),
  },
  {
    key: "status",
    header: "Outcome",
    width: "minmax(0, 2.4fr)",
    cell: (operation) => <Outcome of={operation} />,
  },
  {
    key: "by",
    header: "By",
    width: "minmax(0, 1fr)",
    cell: ({ operation }) => (
      <span title={operation.originatorUri}>{shortReference(operation.originatorUri)}</span>
    ),
  },
  {
    key: "when",
    header: "Started",
    width: "6.5rem",
    cell: ({ operation }) => <TimeAgo at={operation.startTime} />,
  },
  {
    key: "took",
    header: "Took",
    width: "5.5rem",
    cell: ({ operation }) => <Duration from={operation.startTime} to={operation.stopTime} />,
  },
  {
    key: "back",
    header: "Way back",
    width: "7.5rem",
    cell: (operation) =>
      canRollBack(operation) ? (
        <Button size="compact-xs" onClick={() => choose(operation.operation.operationId)}>
          Roll back to it
        </Button>
      ) : (
        "–"
      ),
  },
];

const Outcome = ({ of: { operation, failure, waitsFor, progress } }: { of: Operation }): ReactNode => {
  const isWorking = operation.stopTime === null;
  const more =
    failure ??
    waitsFor?.reason ??
    (isWorking && progress !== undefined ? `${progress.completed} of ${progress.total} tasks` : undefined);
  return (
    <div className={classes["outcome"]}>
      <StatusBadge status={operation.status} />
      {more !== undefined && more !== null && (
        <span className={classes["more"]} title={more}>
          {more}
        </span>
      )}
    </div>
  );
};
