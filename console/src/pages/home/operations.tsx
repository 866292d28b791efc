import { Progress, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PageLink } from "../../parts/page/page-link.tsx";
import { Loaded } from "../../parts/states/views.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { Duration, TimeAgo, TimeLeft } from "../../parts/values/times.tsx";
import classes from "./home.module.css";
import { nameOf, shortOf } from "./names.ts";
import { atWorkQuery, failedQuery, type Operation } from "./queries.ts";
import { Nothing, Section } from "./section.tsx";

const All = (): ReactNode => (
  <PageLink to="/operations" size="sm">
    All plans
  </PageLink>
);

export const AtWork = ({ environment }: { environment: string }): ReactNode => (
  <Section title="At work" more={<All />}>
    <Loaded query={useQuery(atWorkQuery(environment))} what="read what is at work">
      {({ data }) =>
        data.length === 0 ? (
          <Nothing>Nothing is being changed in {environment}.</Nothing>
        ) : (
          <ul className={classes["list"]}>
            {data.map((each) => (
              <Working key={each.operation.operationId} of={each} />
            ))}
          </ul>
        )
      }
    </Loaded>
  </Section>
);

export const FailedLately = ({ environment }: { environment: string }): ReactNode => (
  <Section title="Failed in the last week">
    <Loaded query={useQuery(failedQuery(environment))} what="read what failed">
      {({ data }) =>
        data.length === 0 ? (
          <Nothing>Nothing failed in {environment}.</Nothing>
        ) : (
          <ul className={classes["list"]}>
            {data.map(({ operation, failure }) => (
              <li key={operation.operationId} className={classes["item"]}>
                <Head operation={operation}>
                  <TimeAgo at={operation.stopTime ?? operation.startTime} />
                </Head>
                <Text size="xs" lineClamp={2} title={failure ?? undefined} className={classes["failure"]}>
                  {failure ?? "No task says why."}
                </Text>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  </Section>
);

const Head = ({
  operation: { deploymentUnitId, executionPlanId, provisioningAction, status, descriptorVersion },
  children,
}: {
  operation: Operation["operation"];
  children: ReactNode;
}): ReactNode => (
  <div className={classes["head"]}>
    <PageLink
      to="/plans/$planId"
      params={{ planId: executionPlanId }}
      size="sm"
      fw={550}
      truncate
      title={deploymentUnitId}
    >
      {nameOf(deploymentUnitId)}
    </PageLink>
    <Text size="xs" c="dimmed" span truncate className={classes["grow"]}>
      {provisioningAction === "DEPLOY" ? "deploy" : "undeploy"} {descriptorVersion}
    </Text>
    <StatusBadge status={status} />
    <Text size="xs" c="dimmed" span className={classes["time"]}>
      {children}
    </Text>
  </div>
);

/** What it waits for is said in full: why, who can act, until when. */
const Working = ({ of: { operation, progress, waitsFor } }: { of: Operation }): ReactNode => (
  <li className={classes["item"]}>
    <Head operation={operation}>
      <Duration from={operation.startTime} to={null} />
    </Head>
    {waitsFor !== undefined && waitsFor !== null ? (
      <Text size="xs" c="dimmed" component="div" className={classes["wait"]}>
        {waitsFor.reason}{" "}
        {waitsFor.who.length === 0 ? "Nobody has to act" : `Can act: ${waitsFor.who.map(shortOf).join(", ")}`}
        {", "}
        {waitsFor.until === null ? "no deadline." : <TimeLeft until={waitsFor.until} />}
      </Text>
    ) : (
      progress !== undefined && (
        <div className={classes["progress"]}>
          <Progress
            value={(100 * progress.completed) / Math.max(1, progress.total)}
            size="sm"
            aria-label={`Tasks of ${nameOf(operation.deploymentUnitId)}`}
            className={classes["grow"]}
          />
          <Text size="xs" c="dimmed" span>
            {progress.completed} of {progress.total} tasks
            {progress.failed > 0 && `, ${progress.failed} failed`}
          </Text>
        </div>
      )
    )}
  </li>
);
