import { Alert, Button, Drawer, Stack, Table, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { ErrorView, Loaded } from "../../../parts/states/views.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { IdText } from "../../../parts/values/id-text.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { Facts } from "../parts/facts.tsx";
import { operatorsWho } from "../words.ts";
import { aboutOf, noticeQuery, recipientOf, type Notice } from "./queries.ts";

const route = getRouteApi("/notices");

export const NoticeDetails = ({ id }: { id: string | undefined }): ReactNode => {
  const navigate = route.useNavigate();
  return (
    <Drawer
      opened={id !== undefined}
      onClose={() => void navigate({ search: (previous) => ({ ...previous, notice: undefined }) })}
      position="right"
      size="lg"
      title="Notice"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {id !== undefined && <Details id={id} />}
    </Drawer>
  );
};

const Details = ({ id }: { id: string }): ReactNode => (
  <Loaded query={useQuery(noticeQuery(id))} what="read the notice" who={operatorsWho}>
    {(notice) => (
      <Stack gap="md">
        <Facts
          of={{
            About: aboutOf(notice),
            Status: <StatusBadge status={notice.status} />,
            To: recipientOf(notice),
            Channel: notice.channel,
            Made: <TimeAgo at={notice.createdAt} />,
            Attempts: `${notice.attempts}`,
            "Last attempt": <TimeAgo at={notice.lastAttemptAt} />,
            Ended: notice.endedAt === null ? undefined : <TimeAgo at={notice.endedAt} />,
            Id: <IdText id={notice.id} />,
          }}
        />
        <Standing notice={notice} />
        <Subjects notice={notice} />
        <SendAgain notice={notice} />
      </Stack>
    )}
  </Loaded>
);

const Standing = ({ notice }: { notice: Notice }): ReactNode => {
  if (notice.waiting !== null)
    return (
      <WaitingReason reason={notice.waiting} since={notice.createdAt} who={[]} until={notice.nextAttemptAt} />
    );
  if (notice.lastError === null) return null;
  return (
    <Alert color="bad" title="It did not arrive">
      {notice.lastError}
    </Alert>
  );
};

const Subjects = ({ notice: { notices } }: { notice: Notice }): ReactNode =>
  notices.length === 0 ? null : (
    <div>
      <Title order={2} mb={4}>
        What it is about
      </Title>
      <Table>
        <Table.Tbody>
          {notices.map(({ kind, id }) => (
            <Table.Tr key={`${kind} ${id}`}>
              <Table.Td>{wordsOf(kind)}</Table.Td>
              <Table.Td>
                <IdText id={id} length={32} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );

const SendAgain = ({ notice: { id, status } }: { notice: Notice }): ReactNode => {
  const maySend = useHasRole("operator", "admin");
  const queryClient = useQueryClient();
  const sending = useMutation({
    mutationFn: () =>
      call(
        api.coordinator.POST("/api/coordinator/v1/notices/{notice-id}/send-again", {
          params: { path: { "notice-id": id } },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.notices }),
  });
  if (status === "PENDING") return null;
  if (!maySend)
    return (
      <Text size="sm" c="dimmed">
        Operators and administrators can have it sent again.
      </Text>
    );
  return (
    <Stack gap="xs" align="flex-start">
      <Button loading={sending.isPending} onClick={() => sending.mutate()}>
        Send again
      </Button>
      {sending.error !== null && <ErrorView error={sending.error} what="send it again" />}
    </Stack>
  );
};
