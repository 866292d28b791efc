import { Group, Select, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, type ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { EmptyView, Loaded, LoadingView } from "../../../parts/states/views.tsx";
import { JsonView } from "../../../parts/values/code-view.tsx";
import type { Unit } from "../unit/queries.ts";
import { ChangedComponents } from "./changed-components.tsx";
import { descriptorQuery, versionsQuery } from "./queries.ts";
import { choicesOf, type Side, type SideChoice } from "./sides.ts";

const TextDiff = lazy(async () => ({ default: (await import("./text-diff.tsx")).TextDiff }));
const route = getRouteApi("/units/$unitId");

export const DescriptorTab = ({ unit }: { unit: Unit }): ReactNode => {
  const id = unit.deploymentUnitId;
  return (
    <Loaded query={useQuery(versionsQuery(id))} what="read the versions of this unit">
      {({ data }) => {
        const choices = choicesOf(unit, data);
        return choices.length === 0 ? (
          <EmptyView title="It has no descriptor yet" icon="units">
            It has one from the first deployment on.
          </EmptyView>
        ) : (
          <Sides id={id} choices={choices} />
        );
      }}
    </Loaded>
  );
};

const Sides = ({ id, choices }: { id: string; choices: SideChoice[] }): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { environment } = useEnvironment();
  const chosen = (value: string | undefined): SideChoice | undefined =>
    choices.find((choice) => choice.value === value);
  const left = chosen(search.left) ?? chosen(`env:${environment}`) ?? choices[0];
  const right = chosen(search.right);
  if (left === undefined) return null;
  const set = (change: { left?: string | undefined; right?: string | undefined }): void =>
    void navigate({
      search: (previous) => ({ ...previous, ...change }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Stack gap="md">
      <Group gap="xs" align="flex-end">
        <Select
          label="Version"
          data={choices}
          value={left.value}
          onChange={(value) => set({ left: value ?? undefined })}
          w={{ base: "100%", xs: "21rem" }}
        />
        <Select
          label="Compare with"
          placeholder="Another version or environment"
          data={choices.filter(({ value }) => value !== left.value)}
          value={right?.value ?? null}
          clearable
          clearButtonProps={{ "aria-label": "Compare with nothing" }}
          onChange={(value) => set({ right: value ?? undefined })}
          w={{ base: "100%", xs: "21rem" }}
        />
      </Group>
      {right === undefined || right.value === left.value ? (
        <OneDescriptor id={id} side={left.side} />
      ) : (
        <Comparison id={id} left={left} right={right} />
      )}
    </Stack>
  );
};

const OneDescriptor = ({ id, side }: { id: string; side: Side }): ReactNode => (
  <Loaded query={useQuery(descriptorQuery(id, side))} what="read the descriptor">
    {(descriptor) => <JsonView value={descriptor} label="descriptor" maxHeight="70vh" />}
  </Loaded>
);

const Comparison = ({ id, left, right }: { id: string; left: SideChoice; right: SideChoice }): ReactNode => {
  const before = useQuery(descriptorQuery(id, left.side));
  const after = useQuery(descriptorQuery(id, right.side));
  return (
    <>
      <ChangedComponents id={id} left={left} right={right} />
      <Loaded query={before} what="read the descriptor">
        {(a) => (
          <Loaded query={after} what="read the other descriptor">
            {(b) => (
              <Suspense fallback={<LoadingView label="Loading the comparison" />}>
                <TextDiff
                  before={textOf(a)}
                  after={textOf(b)}
                  beforeLabel={left.label}
                  afterLabel={right.label}
                />
              </Suspense>
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  );
};

const textOf = (descriptor: unknown): string => JSON.stringify(descriptor, null, 2);
