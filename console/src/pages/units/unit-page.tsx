import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useEnvironment } from "../../api/environments.ts";
import { IdText } from "../../parts/values/id-text.tsx";
import { PageHeader } from "../../parts/page/page-header.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { EmptyView, Loaded } from "../../parts/states/views.tsx";
import { VirtualTable, type Column } from "../../parts/tables/virtual-table.tsx";
import { unitQuery } from "./queries.ts";

const route = getRouteApi("/units/$unitId");

export const UnitPage = (): ReactNode => {
  const { unitId } = route.useParams();
  const { environment } = useEnvironment();
  const query = useQuery(unitQuery(unitId, environment));
  return (
    <>
      <PageHeader
        title={unitId.split(":").at(-2) ?? unitId}
        description={
          <Group gap="xs">
            <IdText id={unitId} length={60} />
            {query.data && <StatusBadge status={query.data.status} />}
            <Text span size="sm">
              in {environment}
            </Text>
          </Group>
        }
      />
      <Loaded query={query} what="read this unit">
        {({ provisioningDetails }) => {
          const rows: Component[] = provisioningDetails?.componentsStatus ?? [];
          return rows.length === 0 ? (
            <EmptyView title={`It has no components in ${environment}`} icon="units" />
          ) : (
            <VirtualTable
              label="Components"
              columns={columns}
              rows={rows}
              rowKey={({ componentId }) => componentId}
            />
          );
        }}
      </Loaded>
    </>
  );
};

interface Component {
  componentId: string;
  descriptorVersion?: string;
  status: string;
}

const columns: readonly Column<Component>[] = [
  {
    key: "id",
    header: "Component",
    width: "minmax(0, 2fr)",
    cell: ({ componentId }) => <IdText id={componentId} length={60} />,
  },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1fr)",
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: "version",
    header: "Version",
    width: "minmax(0, 1fr)",
    cell: ({ descriptorVersion }) => descriptorVersion ?? "–",
  },
];
