import { Badge, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { Duration, TimeLeft } from "../../../parts/values/times.tsx";
import { readable, shortName } from "../parts/names.ts";
import { People, Person } from "../parts/people.tsx";
import { actorsOf, subjects, titleOf } from "./kinds.ts";
import type { WaitingItem } from "./queries.ts";
import { WaitingActions } from "./waiting-actions.tsx";
import classes from "./waiting-row.module.css";

export interface WaitingRowProps {
  item: WaitingItem;
  /** Says what was done, since the item leaves the list. */
  tell: (line: string) => void;
}

/** One thing that waits: what, why, who else may act, since when, until when and what happens then. */
export const WaitingRow = ({ item, tell }: WaitingRowProps): ReactNode => {
  const { word, icon } = subjects[item.subject];
  return (
    <li className={classes["row"]}>
      <div className={classes["words"]}>
        <Group gap={6} mb={2}>
          <Badge variant="default" leftSection={<Icon name={icon} size={12} />}>
            {word}
          </Badge>
          {item.deploymentUnitId !== null && (
            <PageLink
              to="/units/$unitId"
              params={{ unitId: item.deploymentUnitId }}
              size="xs"
              title={item.deploymentUnitId}
            >
              {shortName(item.deploymentUnitId)}
            </PageLink>
          )}
          {item.environment !== null && (
            <Text size="xs" c="dimmed" component="span">
              {item.environment}
            </Text>
          )}
        </Group>
        <Text size="sm" fw={550}>
          {titleOf(item)}
        </Text>
        {item.reason !== item.title && (
          <Text size="sm" c="dimmed">
            {readable(item.reason)}
          </Text>
        )}
        <Text size="xs" c="dimmed" component="div" mt={2}>
          <Parts item={item} />
        </Text>
      </div>
      <WaitingActions item={item} tell={tell} />
    </li>
  );
};

const Parts = ({ item }: { item: WaitingItem }): ReactNode => {
  const { whoMayAct, requester, since, expiresAt, atDeadline } = item;
  return (
    <>
      <span className={classes["part"]}>
        waits for <Duration from={since} to={null} />
      </span>
      {requester !== null && (
        <span className={classes["part"]}>
          {item.kind === "FAILED_OPERATION" || item.kind === "HELD_PLAN" ? "started" : "asked"} by{" "}
          <Person of={requester} />
        </span>
      )}
      <span className={classes["part"]}>
        can act: <People refs={actorsOf(item)} />
        {whoMayAct.rule !== null && ` (rule “${whoMayAct.rule}”)`}
      </span>
      <span className={classes["part"]}>
        {expiresAt === null ? "no deadline" : <TimeLeft until={expiresAt} />}
      </span>
      {atDeadline !== null && <span className={classes["part"]}>then: {atDeadline}</span>}
    </>
  );
};
