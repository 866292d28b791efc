import { Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { momentText } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { CalendarAxis, CalendarStrip } from "./calendar.tsx";
import { windowsQuery, type WindowsOfEnvironment } from "./queries.ts";
import { windowWords } from "./window-words.ts";
import { WindowsEditor } from "./windows-editor.tsx";

const route = getRouteApi("/schedules");

export const Windows = (): ReactNode => (
  <Loaded query={useQuery(windowsQuery)} what="read the maintenance windows">
    {({ data }) =>
      data.length === 0 ? (
        <EmptyView title="No environment is configured" icon="clock" />
      ) : (
        <Stack gap="md">
          <CalendarAxis />
          {data.map((each) => (
            <EnvironmentCard key={each.environment} of={each} />
          ))}
        </Stack>
      )
    }
  </Loaded>
);

const EnvironmentCard = ({ of }: { of: WindowsOfEnvironment }): ReactNode => {
  const { edit } = route.useSearch();
  const mayEdit = useHasRole("operator", "admin");
  const isEdited = edit === of.environment && mayEdit;
  return (
    <Paper component="section" aria-label={of.environment} p="sm">
      <Stack gap="xs">
        <Group gap="xs">
          <Title order={2}>{of.environment}</Title>
          <StatusBadge status={of.isOpen ? "OK" : "HELD"}>{of.isOpen ? "Open" : "Closed"}</StatusBadge>
          {of.updatedAt !== null && (
            <Text size="xs" c="dimmed">
              changed <TimeAgo at={of.updatedAt} /> by {of.updatedBy}
            </Text>
          )}
          {mayEdit && !isEdited && (
            <ButtonLink
              from="/schedules"
              to="/schedules"
              search={(previous) => ({ ...previous, edit: of.environment })}
              ml="auto"
              aria-label={`Edit the windows of ${of.environment}`}
            >
              Edit
            </ButtonLink>
          )}
        </Group>
        {!of.isOpen && <Closed of={of} />}
        {isEdited ? (
          <WindowsEditor of={of} />
        ) : (
          <>
            <CalendarStrip label={of.environment} windows={of.windows} />
            <WindowList of={of} />
          </>
        )}
        {!mayEdit && of.windows.length > 0 && (
          <Text size="xs" c="dimmed">
            Operators and administrators change these.
          </Text>
        )}
      </Stack>
    </Paper>
  );
};

const Closed = ({ of: { reason, opensAt, waitingPlans } }: { of: WindowsOfEnvironment }): ReactNode => (
  <WaitingReason
    reason={reason ?? "Nothing begins here now."}
    who={["operators"]}
    until={opensAt}
    next={
      opensAt === null
        ? null
        : `${waitingPlans === 1 ? "the plan that waits begins" : `${waitingPlans} plans that wait begin`}, ${momentText(Date.parse(opensAt))}`
    }
  />
);

const WindowList = ({ of: { windows } }: { of: WindowsOfEnvironment }): ReactNode =>
  windows.length === 0 ? (
    <Text size="sm" c="dimmed">
      Operations begin at any time.
    </Text>
  ) : (
    <List size="sm" listStyleType="none" spacing={2}>
      {windows.map((window) => (
        <List.Item key={window.name}>
          <Text span size="sm" fw={550}>
            {window.name}
          </Text>{" "}
          {windowWords(window)}
        </List.Item>
      ))}
    </List>
  );
