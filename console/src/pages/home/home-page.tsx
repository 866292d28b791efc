import { Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useEnvironment } from "../../api/environments.ts";
import { PageHeader } from "../../parts/page/page-header.tsx";
import { PageLink } from "../../parts/page/page-link.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { TimeAgo } from "../../parts/values/times.tsx";
import { Loaded } from "../../parts/states/views.tsx";
import { WaitingReason } from "../../parts/states/waiting-reason.tsx";
import classes from "./home-page.module.css";
import { operationsQuery, waitingQuery, type OperationStatus } from "./queries.ts";

export const HomePage = (): ReactNode => {
  const { environment } = useEnvironment();
  return (
    <>
      <PageHeader
        title="Overview"
        description={`What runs, what failed and what waits for you in ${environment}.`}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Operations
          title="At work"
          status={["SCHEDULED", "RUNNING", "TERMINATING"]}
          none="Nothing is being deployed."
        />
        <Operations title="Failed last" status={["FAILED"]} none="Nothing failed." />
        <Waiting />
      </SimpleGrid>
    </>
  );
};

const Waiting = (): ReactNode => (
  <Section title="Waits for you">
    <Loaded query={useQuery(waitingQuery)} what="read what waits for you">
      {({ data }) =>
        data.length === 0 ? (
          <Nothing>Nothing waits for you.</Nothing>
        ) : (
          <Stack gap="xs">
            {data.map((item) => (
              <WaitingReason
                key={`${item.kind} ${item.id}`}
                reason={item.title}
                since={item.since}
                until={item.expiresAt}
                who={["you"]}
              />
            ))}
          </Stack>
        )
      }
    </Loaded>
  </Section>
);

const Operations = ({
  title,
  status,
  none,
}: {
  title: string;
  status: OperationStatus[];
  none: string;
}): ReactNode => {
  const { environment } = useEnvironment();
  return (
    <Section title={title}>
      <Loaded query={useQuery(operationsQuery(environment, status))} what="read the operations">
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>{none}</Nothing>
          ) : (
            <ul className={classes["list"]}>
              {data.map(({ operation }) => (
                <li key={operation.operationId} className={classes["item"]}>
                  <PageLink
                    to="/plans/$planId"
                    params={{ planId: operation.executionPlanId }}
                    size="sm"
                    truncate
                  >
                    {operation.deploymentUnitId}
                  </PageLink>
                  <StatusBadge status={operation.status} />
                  <Text size="xs" c="dimmed" span>
                    <TimeAgo at={operation.startTime} />
                  </Text>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
};

const Nothing = ({ children }: { children: ReactNode }): ReactNode => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

const Section = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <Paper component="section" aria-label={title}>
    <Title order={2} mb="sm">
      {title}
    </Title>
    {children}
  </Paper>
);
