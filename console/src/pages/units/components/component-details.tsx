import { Drawer, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { JsonView } from "../../../parts/values/code-view.tsx";
import { IdText } from "../../../parts/values/id-text.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { kindText } from "../names.ts";
import { deployedQuery, type Unit } from "../unit/queries.ts";
import { useDescribedIn } from "../unit/use-unit.ts";
import type { InEnvironment, UnitComponent } from "./merge.ts";

const route = getRouteApi("/units/$unitId");

/** The component that the address names. */
export const ComponentDetails = ({
  unit,
  components,
}: {
  unit: Unit;
  components: readonly UnitComponent[];
}): ReactNode => {
  const { component: id } = route.useSearch();
  const navigate = route.useNavigate();
  const component = components.find((each) => each.id === id);
  const close = (): void =>
    void navigate({ search: (previous) => ({ ...previous, component: undefined }), resetScroll: false });
  return (
    <Drawer
      opened={component !== undefined}
      onClose={close}
      position="right"
      size="lg"
      title={component?.name}
    >
      {component !== undefined && (
        <Stack gap="md">
          <Text size="sm" c="dimmed" component="div">
            {component.kind !== undefined && wordsOf(kindText(component.kind))}{" "}
            <IdText id={component.id} length={46} />
            {component.description !== undefined && <p>{component.description}</p>}
          </Text>
          <Statuses component={component} />
          <Neighbours component={component} components={components} />
          <Deployed unit={unit} id={component.id} />
        </Stack>
      )}
    </Drawer>
  );
};

const Statuses = ({ component }: { component: UnitComponent }): ReactNode => (
  <section>
    <Title order={3} mb={4}>
      In each environment
    </Title>
    <Table>
      <Table.Tbody>
        {[...component.in.values()].map((here) => (
          <Table.Tr key={here.environment}>
            <Table.Th scope="row" w="30%">
              {here.environment}
            </Table.Th>
            <Table.Td>
              <StatusOf here={here} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </section>
);

const StatusOf = ({ here }: { here: InEnvironment }): ReactNode => (
  <Stack gap={3} align="flex-start">
    <StatusBadge status={here.status} />
    <Text size="xs" c="dimmed" span>
      {here.descriptorVersion}
      {here.since !== null && (
        <>
          {" "}
          since <TimeAgo at={here.since} />
        </>
      )}
      {here.drift !== null && <> · {here.drift === "NO_DRIFT" ? "no drift" : here.drift.toLowerCase()}</>}
    </Text>
    {here.failure !== null && <Text size="sm">{here.failure.message}</Text>}
    {here.executionPlanId !== null && (
      <PageLink to="/plans/$planId" params={{ planId: here.executionPlanId }} size="xs">
        {here.failure === null ? "Its last plan" : "See why, and resume"}
      </PageLink>
    )}
  </Stack>
);

const Neighbours = ({
  component,
  components,
}: {
  component: UnitComponent;
  components: readonly UnitComponent[];
}): ReactNode => {
  const before = components.filter(({ id }) => component.dependsOn.includes(id));
  const after = components.filter(({ dependsOn }) => dependsOn.includes(component.id));
  if (before.length + after.length === 0) return null;
  return (
    <section>
      <Title order={3} mb={4}>
        Neighbours
      </Title>
      <Links words="Depends on" list={before} />
      <Links words="Needed by" list={after} />
    </section>
  );
};

const Links = ({ words, list }: { words: string; list: readonly UnitComponent[] }): ReactNode =>
  list.length > 0 && (
    <Text size="sm" component="p" m={0}>
      {words}{" "}
      {list.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <PageLink
            from="/units/$unitId"
            to="."
            search={(previous) => ({ ...previous, component: id })}
            resetScroll={false}
            size="sm"
          >
            {name}
          </PageLink>
        </span>
      ))}
    </Text>
  );

/** What the adapter has told of it, such as an address. */
const Deployed = ({ unit, id }: { unit: Unit; id: string }): ReactNode => {
  const environment = useDescribedIn(unit.deploymentUnitId);
  const { data } = useQuery(deployedQuery(unit.deploymentUnitId, environment));
  const info = data?.provisioningDetails.provisioningInfo[id];
  if (info === undefined) return null;
  return (
    <section>
      <Title order={3} mb={4}>
        Information of the adapter in {environment}
      </Title>
      <JsonView value={info} label="information of the adapter" maxHeight="18rem" />
    </section>
  );
};
