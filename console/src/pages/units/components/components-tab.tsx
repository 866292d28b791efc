import { Group, SegmentedControl, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, type ReactNode } from "react";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, LoadingView } from "../../../parts/states/views.tsx";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { kindText, shortId } from "../names.ts";
import type { Unit } from "../unit/queries.ts";
import { componentViews } from "../unit/tabs.ts";
import { useDescribedComponents, useHere } from "../unit/use-unit.ts";
import { ComponentDetails } from "./component-details.tsx";
import classes from "./components.module.css";
import { mergedComponents, type UnitComponent } from "./merge.ts";

const ComponentGraph = lazy(async () => ({
  default: (await import("./component-graph.tsx")).ComponentGraph,
}));
const route = getRouteApi("/units/$unitId");

export const ComponentsTab = ({ unit }: { unit: Unit }): ReactNode => {
  const { view = "table" } = route.useSearch();
  const navigate = route.useNavigate();
  const { environment } = useHere(unit);
  const components = mergedComponents(unit, useDescribedComponents(unit.deploymentUnitId));
  if (components.length === 0)
    return (
      <EmptyView title="It has no components yet" icon="units">
        They are here from the first deployment on.
      </EmptyView>
    );
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          {components.length} {components.length === 1 ? "component" : "components"}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Show components as"
          value={view}
          data={componentViews.map((value) => ({ value, label: value === "table" ? "Table" : "Graph" }))}
          onChange={(value) =>
            void navigate({
              search: (previous) => ({ ...previous, view: value === "graph" ? "graph" : undefined }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      </Group>
      {view === "table" ? (
        <VirtualTable
          label="Components"
          columns={columnsOf(unit)}
          rows={components}
          rowKey={({ id }) => id}
        />
      ) : (
        <Suspense fallback={<LoadingView label="Loading the graph" />}>
          <ComponentGraph components={components} environment={environment} />
        </Suspense>
      )}
      <ComponentDetails unit={unit} components={components} />
    </>
  );
};

const columnsOf = (unit: Unit): Column<UnitComponent>[] => [
  {
    key: "name",
    header: "Component",
    width: "minmax(0, 1.6fr)",
    cell: ({ id, name, kind }) => (
      <div className={classes["name"]}>
        <PageLink
          from="/units/$unitId"
          to="."
          search={(previous) => ({ ...previous, component: id })}
          resetScroll={false}
          fw={550}
          title={id}
          truncate
        >
          {name}
        </PageLink>
        {kind !== undefined && <span className={classes["small"]}>{kindText(kind)}</span>}
      </div>
    ),
  },
  ...unit.environments.map(({ environment }): Column<UnitComponent> => ({
    key: `in ${environment}`,
    header: environment,
    width: "minmax(0, 1.2fr)",
    cell: ({ in: statuses }) => {
      const here = statuses.get(environment);
      return here === undefined ? (
        <Text size="sm" c="dimmed" span>
          –
        </Text>
      ) : (
        <div className={classes["name"]}>
          <span>
            <StatusBadge status={here.status} />
          </span>
          <span className={classes["small"]}>
            {[here.descriptorVersion, here.drift === "DRIFTED" && "drifted"].filter(Boolean).join(" · ")}
          </span>
        </div>
      );
    },
  })),
  {
    key: "depends",
    header: "Depends on",
    width: "minmax(0, 1.2fr)",
    cell: ({ dependsOn }) => (dependsOn.length === 0 ? "–" : dependsOn.map(shortId).join(", ")),
  },
];
