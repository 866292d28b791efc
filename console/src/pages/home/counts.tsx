import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useEnvironment } from "../../api/environments.ts";
import { PageLink } from "../../parts/page/page-link.tsx";
import { wordsOf } from "../../parts/values/text.ts";
import { environmentsQuery, unitCountsQuery } from "./queries.ts";
import classes from "./home.module.css";

const statuses = [
  "CORRUPT",
  "PARTIALLY_DEPLOYED",
  "PROVISIONING_IN_PROGRESS",
  "DEPLOYED",
  "NOT_DEPLOYED",
] as const;

/** How many units are how, the bad first, and whether another environment is at work. */
export const Counts = ({ environment }: { environment: string }): ReactNode => {
  const counts = useQuery(unitCountsQuery(environment)).data?.facets.status ?? [];
  return (
    <div className={classes["counts"]}>
      {statuses.map((status) => {
        const count = counts.find(({ value }) => value === status)?.count ?? 0;
        return (
          count > 0 && (
            <PageLink
              key={status}
              to="/units"
              search={{ in: [environment], status: [status] }}
              size="sm"
              c={status === "CORRUPT" ? "bad" : "var(--mantine-color-text)"}
            >
              <b>{count}</b> {wordsOf(status).toLowerCase()}
            </PageLink>
          )
        );
      })}
      {counts.length > 0 && <span>in {environment}</span>}
      <OtherEnvironments environment={environment} />
    </div>
  );
};

const OtherEnvironments = ({ environment }: { environment: string }): ReactNode => {
  const { choose } = useEnvironment();
  const others = useQuery(environmentsQuery).data?.data.filter(
    ({ name, activeOperations }) => name !== environment && activeOperations > 0,
  );
  return others?.map(({ name, activeOperations }) => (
    <Anchor key={name} component="button" type="button" size="sm" onClick={() => choose(name)}>
      {activeOperations} at work in {name}
    </Anchor>
  ));
};
