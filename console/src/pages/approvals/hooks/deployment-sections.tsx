import { Alert, List, Stack, Table, Text } from "@mantine/core";
import { lazy, Suspense, type ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { LoadingView } from "../../../parts/states/views.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { shortName } from "../parts/names.ts";
import { Section } from "../parts/section.tsx";
import type { Deployment } from "./queries.ts";

const DescriptorDiff = lazy(async () => ({
  default: (await import("./descriptor-diff.tsx")).DescriptorDiff,
}));

/** What the plan does, what the policies say of it, and what it changes: all that a decision needs. */
export const DeploymentSections = ({
  deployment,
  isPending,
}: {
  deployment: Deployment;
  isPending: boolean;
}): ReactNode => (
  <>
    <Section title="What the plan does">
      {deployment.removeData && (
        <Alert color="bad" icon={<Icon name="warning" />} mb="xs">
          It removes the data of the components that it undeploys. That cannot be undone.
        </Alert>
      )}
      <Changes deployment={deployment} />
    </Section>
    <Section title="What the policies say">
      <PolicyResults results={deployment.policyResults} />
    </Section>
    <Section title="What changes in the descriptor">
      {deployment.diff === undefined ? (
        <Text size="sm" c="dimmed">
          {isPending ? "It could not be compared with what is deployed." : "It was compared while it waited."}{" "}
          The descriptor is in{" "}
          <PageLink to="/plans/$planId" params={{ planId: deployment.planId }}>
            the plan
          </PageLink>
          .
        </Text>
      ) : (
        <Suspense fallback={<LoadingView />}>
          <DescriptorDiff diff={deployment.diff} />
        </Suspense>
      )}
    </Section>
  </>
);

const Changes = ({ deployment: { changes, changeCount, planId } }: { deployment: Deployment }): ReactNode => (
  <>
    <Table.ScrollContainer minWidth={320}>
      <Table aria-label="Changes">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Component</Table.Th>
            <Table.Th>Action</Table.Th>
            <Table.Th>Why</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ componentId, action, reason }) => (
            <Table.Tr key={componentId}>
              <Table.Td title={componentId}>{shortName(componentId)}</Table.Td>
              <Table.Td>{wordsOf(action)}</Table.Td>
              <Table.Td>{wordsOf(reason)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
    {changeCount > changes.length && (
      <Text size="sm" c="dimmed">
        {changeCount - changes.length} more are in{" "}
        <PageLink to="/plans/$planId" params={{ planId }}>
          the plan
        </PageLink>
        .
      </Text>
    )}
  </>
);

const PolicyResults = ({ results }: { results: Deployment["policyResults"] }): ReactNode => {
  if (results === undefined)
    return (
      <Text size="sm" c="dimmed">
        They could not be asked when it was requested. They are asked when the plan begins.
      </Text>
    );
  const found = results.filter(({ problems, status }) => problems.length > 0 || status === "FAILED");
  if (found.length === 0)
    return (
      <Text size="sm">No policy has anything against it. They are asked again when the plan begins.</Text>
    );
  return (
    <Stack gap="xs">
      {found.map(({ componentId, status, problems, solutions = [] }) => (
        <div key={componentId}>
          <Text size="sm" component="div" fw={550}>
            <span title={componentId}>{shortName(componentId)}</span>{" "}
            <StatusBadge status={status === "FAILED" ? "FAILED" : "WARNING"}>
              {status === "FAILED" ? "Would stop the plan" : "Warns"}
            </StatusBadge>
          </Text>
          <List size="sm" mt={4}>
            {problems.map((problem) => (
              <List.Item key={problem}>{problem}</List.Item>
            ))}
          </List>
          {solutions.map((solution) => (
            <Text key={solution} size="sm">
              <Text span fw={600}>
                What to do:{" "}
              </Text>
              {solution}
            </Text>
          ))}
        </div>
      ))}
    </Stack>
  );
};
