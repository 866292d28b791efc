import { Button, Checkbox, Group, SegmentedControl, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { countOf } from "../names.ts";
import { componentsOf, type Descriptor, type DescriptorComponent } from "./descriptor.ts";

const route = getRouteApi("/provision");

interface TargetsSectionProps {
  descriptor: Descriptor;
  /** Components that are to be undeployed. */
  absent: ReadonlySet<string>;
}

/** The state in which each component is to be. */
export const TargetsSection = ({ descriptor, absent }: TargetsSectionProps): ReactNode => {
  const { removeData = false, onlyChanged = false } = route.useSearch();
  const navigate = route.useNavigate();
  const components = componentsOf(descriptor);
  const set = (ids: Iterable<string>): void => {
    const without = [...ids].join(",");
    void navigate({
      search: (old) => ({ ...old, without: without === "" ? undefined : without }),
      replace: true,
    });
  };
  const deployed = components.filter(({ id }) => !absent.has(id)).length;
  return (
    <section aria-labelledby="targets">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} id="targets">
          Target states
        </Title>
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {countOf(deployed, "component")} to be deployed, {components.length - deployed} not
          </Text>
          <Button onClick={() => set([])}>Deploy all</Button>
          <Button onClick={() => set(components.map(({ id }) => id))}>Undeploy all</Button>
        </Group>
      </Group>
      <VirtualTable
        label="Target states"
        columns={columnsOf(absent, set)}
        rows={components}
        rowKey={({ id }) => id}
      />
      <Group gap="lg" mt="sm">
        <Checkbox
          size="xs"
          label="Leave components alone that have not changed"
          checked={onlyChanged}
          onChange={({ currentTarget: { checked } }) =>
            void navigate({
              search: (old) => ({ ...old, onlyChanged: checked ? true : undefined }),
              replace: true,
            })
          }
        />
        {absent.size > 0 && (
          <Checkbox
            size="xs"
            label="Remove the data of what is undeployed"
            checked={removeData}
            onChange={({ currentTarget: { checked } }) =>
              void navigate({
                search: (old) => ({ ...old, removeData: checked ? true : undefined }),
                replace: true,
              })
            }
          />
        )}
      </Group>
    </section>
  );
};

const columnsOf = (
  absent: ReadonlySet<string>,
  set: (ids: Iterable<string>) => void,
): readonly Column<DescriptorComponent>[] => [
  {
    key: "component",
    header: "Component",
    width: "minmax(0, 2fr)",
    cell: ({ id, name }) => (
      <Text span size="sm" fw={550} title={id}>
        {name}
      </Text>
    ),
  },
  { key: "kind", header: "Kind", width: "minmax(0, 1fr)", cell: ({ kind }) => kind || "–" },
  {
    key: "target",
    header: "Is to be",
    width: "15rem",
    cell: ({ id, name }) => (
      <SegmentedControl
        size="xs"
        aria-label={`Target of ${name}`}
        value={absent.has(id) ? "NOT_DEPLOYED" : "DEPLOYED"}
        data={[
          { value: "DEPLOYED", label: "Deployed" },
          { value: "NOT_DEPLOYED", label: "Not deployed" },
        ]}
        onChange={(value) => {
          const next = new Set(absent);
          if (value === "DEPLOYED") next.delete(id);
          else next.add(id);
          set(next);
        }}
      />
    ),
  },
];
