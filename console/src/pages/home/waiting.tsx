import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PageLink } from "../../parts/page/page-link.tsx";
import { Loaded } from "../../parts/states/views.tsx";
import { Duration, TimeLeft } from "../../parts/values/times.tsx";
import classes from "./home.module.css";
import { nameOf, shortOf } from "./names.ts";
import { waitingQuery, type WaitingItem } from "./queries.ts";
import { Nothing, Section } from "./section.tsx";

export const Waiting = (): ReactNode => (
  <Section
    title="Waits for you"
    more={
      <PageLink to="/waiting" size="sm">
        All that waits
      </PageLink>
    }
  >
    <Loaded query={useQuery(waitingQuery)} what="read what waits for you">
      {({ data, meta }) => (
        <>
          {data.length === 0 && <Nothing>Nothing waits for you, in any environment.</Nothing>}
          <ul className={classes["list"]}>
            {data.map((item) => (
              <Item key={`${item.kind} ${item.id}`} item={item} />
            ))}
          </ul>
          {meta.unavailable.map(({ kind, reason }) => (
            <Nothing key={kind}>{reason}</Nothing>
          ))}
        </>
      )}
    </Loaded>
  </Section>
);

/** Who can act and until when are said of each; the whole reason is where one acts. */
const Item = ({ item }: { item: WaitingItem }): ReactNode => {
  const { refs, operators } = item.whoMayAct;
  const who = [...refs.map(shortOf), ...(operators ? ["operators"] : [])];
  return (
    <li className={classes["item"]} title={item.reason}>
      <ItemLink item={item} />
      <Text size="xs" c="dimmed" component="div" className={classes["wait"]}>
        waits for <Duration from={item.since} to={null} />
        {who.length > 0 && <> · can act: {who.join(", ")}</>} ·{" "}
        {item.expiresAt === null ? "no deadline" : <TimeLeft until={item.expiresAt} />}
      </Text>
    </li>
  );
};

const sentenceOf = ({ subject, title, requester, deploymentUnitId, environment }: WaitingItem): string => {
  if (deploymentUnitId === null) return title;
  const unit = nameOf(deploymentUnitId);
  const who = requester === null ? "Somebody" : shortOf(requester);
  const where = environment === null ? "" : ` in ${environment}`;
  switch (subject) {
    case "ACCESS_REQUEST":
      return `${who} asks for access to ${unit}${where}`;
    case "DEPLOYMENT_APPROVAL":
      return `${who} asks to deploy ${unit}${where}`;
    case "DATA_REMOVAL_APPROVAL":
      return `${who} asks to remove data of ${unit}${where}`;
    case "FAILED_OPERATION":
      return `${unit} failed${where}: resume it, roll it back or deploy it again`;
    case "RECONCILE":
      return `${unit} has drifted${where}: a repair is ready`;
    default:
      return title;
  }
};

/** To where one acts. */
const ItemLink = ({ item }: { item: WaitingItem }): ReactNode => {
  const { link, kind, deploymentUnitId, environment } = item;
  const { accessRequestId, hookId, planId, sessionId } = link;
  const looks = { size: "sm", fw: 550, children: sentenceOf(item) } as const;
  if (kind === "UNKNOWN_OUTCOME") return <PageLink to="/unknown-outcomes" {...looks} />;
  if (kind === "EXCEPTION") return <PageLink to="/exceptions" {...looks} />;
  if (kind === "APPROVAL")
    return sessionId === undefined ? (
      <PageLink to="/assistant/approvals" {...looks} />
    ) : (
      <PageLink to="/assistant/$sessionId" params={{ sessionId }} {...looks} />
    );
  if (kind === "RECONCILE" && deploymentUnitId !== null)
    return (
      <PageLink
        to="/units/$unitId"
        params={{ unitId: deploymentUnitId }}
        search={{ tab: "drift", ...(environment !== null && { env: environment }) }}
        {...looks}
      />
    );
  if (accessRequestId !== undefined)
    return <PageLink to="/access/$requestId" params={{ requestId: accessRequestId }} {...looks} />;
  if (hookId !== undefined) return <PageLink to="/hooks/$hookId" params={{ hookId }} {...looks} />;
  if (planId !== undefined) return <PageLink to="/plans/$planId" params={{ planId }} {...looks} />;
  return <PageLink to="/waiting" {...looks} />;
};
