import { SimpleGrid, Text, UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { shortId } from "../names.ts";
import type { Environment, Unit } from "./queries.ts";
import classes from "./unit.module.css";

/** The unit in each environment, side by side. Choosing one is the same as the switch in the header. */
export const EnvironmentCards = ({ unit }: { unit: Unit }): ReactNode => (
  <SimpleGrid
    component="section"
    aria-label="Environments"
    cols={{ base: 1, sm: Math.min(unit.environments.length, 3), lg: Math.min(unit.environments.length, 4) }}
    spacing="xs"
  >
    {unit.environments.map((each) => (
      <Card key={each.environment} unitId={unit.deploymentUnitId} here={each} />
    ))}
  </SimpleGrid>
);

const Card = ({ unitId, here }: { unitId: string; here: Environment }): ReactNode => {
  const { environment, choose } = useEnvironment();
  const isChosen = here.environment === environment;
  return (
    <div className={classes["card"]} data-chosen={isChosen || undefined}>
      <div className={classes["cardHead"]}>
        <UnstyledButton
          className={classes["choose"]}
          aria-pressed={isChosen}
          onClick={() => choose(here.environment)}
        >
          {here.environment}
        </UnstyledButton>
        <StatusBadge status={here.status}>{here.known ? undefined : "Never started"}</StatusBadge>
      </div>
      {here.known && <Details unitId={unitId} here={here} />}
    </div>
  );
};

const Details = ({ unitId, here }: { unitId: string; here: Environment }): ReactNode => {
  const { descriptorVersion, since, active, queuedOperations, failure, drift } = here;
  return (
    <div className={classes["details"]}>
      {descriptorVersion !== "" && (
        <span>
          Version <b>{descriptorVersion}</b>
          {since !== null && (
            <>
              {" "}
              since <TimeAgo at={since} />
            </>
          )}
        </span>
      )}
      {active !== null && (
        <PageLink to="/plans/$planId" params={{ planId: active.executionPlanId }} size="xs">
          {active.provisioningAction === "DEPLOY" ? "Deploying" : "Undeploying"} since{" "}
          <TimeAgo at={active.startTime} />
        </PageLink>
      )}
      {queuedOperations > 0 && <span>{queuedOperations} more in the queue</span>}
      {failure !== null && <Failure failure={failure} />}
      {drift?.result === "DRIFTED" && (
        <PageLink
          to="/units/$unitId"
          params={{ unitId }}
          search={{ env: here.environment, tab: "drift" }}
          size="xs"
        >
          Drifted, found <TimeAgo at={drift.checkedAt} />
        </PageLink>
      )}
    </div>
  );
};

/** The first failed call, with the way to its evidence and its resumption. */
const Failure = ({ failure }: { failure: NonNullable<Environment["failure"]> }): ReactNode => (
  <div className={classes["failure"]}>
    <Text size="xs" lineClamp={3} title={failure.message}>
      {failure.componentId !== null && <b>{shortId(failure.componentId)}: </b>}
      {failure.message}
    </Text>
    <PageLink to="/plans/$planId" params={{ planId: failure.executionPlanId }} size="xs">
      See why, and resume
    </PageLink>
  </div>
);
