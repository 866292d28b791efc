import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { statusOf } from "../../api/error.ts";
import { PageLink } from "../../parts/page/page-link.tsx";
import { Loaded } from "../../parts/states/views.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { TimeAgo } from "../../parts/values/times.tsx";
import classes from "./home.module.css";
import { adapterHealthQuery, modelQuery } from "./queries.ts";
import { Nothing, Section } from "./section.tsx";

type Adapter = CoordinatorComponents["schemas"]["AdapterHealth"];

const shown = 5;
const ranks: readonly string[] = ["FAILING", "SLOW", "UNKNOWN", "ANSWERING"];

export const Adapters = ({ environment }: { environment: string }): ReactNode => (
  <Section
    title="Adapters"
    more={
      <PageLink to="/adapters" size="sm">
        All adapters
      </PageLink>
    }
  >
    <Loaded query={useQuery(adapterHealthQuery(environment))} what="read the health of adapters">
      {({ data }) => (
        <AdapterList adapters={data.filter(({ enabled }) => enabled)} environment={environment} />
      )}
    </Loaded>
  </Section>
);

/** The worst first; a list of those that answer is on their own page. */
const AdapterList = ({ adapters, environment }: { adapters: Adapter[]; environment: string }): ReactNode => {
  if (adapters.length === 0) return <Nothing>No adapter is registered for {environment}.</Nothing>;
  const sorted = adapters.toSorted((a, b) => ranks.indexOf(a.health) - ranks.indexOf(b.health));
  const answering = adapters.filter(({ health }) => health === "ANSWERING").length;
  return (
    <>
      <ul className={classes["list"]}>
        {sorted.slice(0, shown).map((adapter) => (
          <li key={adapter.adapterId} className={classes["item"]}>
            <div className={classes["head"]}>
              <PageLink
                to="/adapters/$adapterId"
                params={{ adapterId: adapter.adapterId }}
                size="sm"
                fw={550}
                truncate
                title={adapter.adapterId}
              >
                {adapter.name}
              </PageLink>
              <Text size="xs" c="dimmed" span truncate className={classes["grow"]}>
                {adapter.atWork > 0 && `${adapter.atWork} at work`}
              </Text>
              <StatusBadge status={adapter.health}>
                {adapter.health === "UNKNOWN" ? "Not called yet" : undefined}
              </StatusBadge>
            </div>
            {(adapter.health === "FAILING" || adapter.health === "SLOW") && (
              <Text size="xs" lineClamp={2} className={classes["failure"]}>
                {adapter.reason}
              </Text>
            )}
          </li>
        ))}
      </ul>
      {sorted.length > shown && (
        <Nothing>
          {answering} of {sorted.length} answer.
        </Nothing>
      )}
    </>
  );
};

/** Not shown to those who may not read it. */
export const Model = (): ReactNode => {
  const query = useQuery(modelQuery);
  if (statusOf(query.error) === 403) return null;
  return (
    <Section title="Model of the assistant">
      <Loaded query={query} what="read which model is used">
        {({ provider, model, deployment, probe }) =>
          provider === "" ? (
            <Nothing>None is configured, so the assistant cannot answer.</Nothing>
          ) : (
            <div className={classes["head"]}>
              <Text size="sm" fw={550} span truncate className={classes["grow"]}>
                {model || deployment} of {provider}
              </Text>
              {probe !== null && (
                <>
                  <StatusBadge status={probe.outcome} />
                  <Text size="xs" c="dimmed" span className={classes["time"]}>
                    <TimeAgo at={probe.checked_at} />
                  </Text>
                </>
              )}
            </div>
          )
        }
      </Loaded>
      <ModelFailure />
    </Section>
  );
};

const ModelFailure = (): ReactNode => {
  const probe = useQuery(modelQuery).data?.probe;
  return (
    probe?.outcome === "failed" && (
      <Text size="xs" className={classes["failure"]}>
        {probe.message}
      </Text>
    )
  );
};
