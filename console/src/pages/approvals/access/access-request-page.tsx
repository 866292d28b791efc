import { Button, Group, Stack, Table, Text, Timeline } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { ConfirmDialog } from "../../../parts/page/confirm-dialog.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ButtonLink, PageLink } from "../../../parts/page/page-link.tsx";
import { ErrorView, Loaded } from "../../../parts/states/views.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo, TimeLeft } from "../../../parts/values/times.tsx";
import { statusWords } from "../hooks/hook-words.ts";
import { readable, shortName } from "../parts/names.ts";
import { isAmong, Person, useCaller, useCallerRefs, WhoElseMay } from "../parts/people.tsx";
import { Section } from "../parts/section.tsx";
import { RequestContent } from "./access-facts.tsx";
import { requestQuery, retryRequest, withdrawRequest, type AccessRequest } from "./queries.ts";

const route = getRouteApi("/access/$requestId");

export const AccessRequestPage = (): ReactNode => {
  const { requestId } = route.useParams();
  const query = useQuery(requestQuery(requestId));
  const { data: request } = query;
  return (
    <>
      <PageHeader
        title={request === undefined ? "Access request" : titleOf(request)}
        description={
          request && (
            <Group gap="xs">
              <StatusBadge status={request.status} />
              <span>
                in {request.environment}, asked by <Person of={request.requester} />{" "}
                <TimeAgo at={request.createdAt} />
              </span>
            </Group>
          )
        }
        actions={request && <Actions request={request} />}
      />
      <Loaded query={query} what="read this request" who="the requester, the owners and operators">
        {(loaded) => (
          <>
            <State request={loaded} />
            <RequestContent request={loaded} />
            <Decisions request={loaded} />
            <History request={loaded} />
          </>
        )}
      </Loaded>
    </>
  );
};

const titleOf = ({ operation, deploymentUnitId, outputPorts }: AccessRequest): string => {
  const [first] = outputPorts;
  const port = outputPorts.length === 1 ? (first?.name ?? "") : `${outputPorts.length} ports`;
  const what = operation === "GRANT" ? "Access to" : "End of access to";
  return `${what} ${port} of ${shortName(deploymentUnitId)}`;
};

const pendingOf = ({ hooks }: AccessRequest) => hooks.filter(({ status }) => status === "pending");

/** Why it waits and who can act, or what became of it. */
const State = ({ request }: { request: AccessRequest }): ReactNode => {
  const pending = pendingOf(request);
  const [first] = pending.toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt));
  const { waiting, status, message } = request;
  if (waiting !== null && status === "PENDING")
    return (
      <WaitingReason
        reason={readable(waiting.reason)}
        since={waiting.since}
        who={[...(pending.some(({ kind }) => kind === "notification") ? request.owners : []), "operators"]}
        until={first?.expiresAt ?? null}
        next="it expires, and access is not changed"
      >
        <DecideLink request={request} />
      </WaitingReason>
    );
  if (waiting !== null) return <WaitingReason reason={readable(waiting.reason)} since={waiting.since} />;
  if (message === null) return null;
  return (
    <Text size="sm" c={status === "FAILED" ? "bad" : undefined}>
      {message}
    </Text>
  );
};

const DecideLink = ({ request }: { request: AccessRequest }): ReactNode => {
  const isOperator = useHasRole("operator", "admin");
  const isOwner = isAmong(request.owners, useCallerRefs());
  const mine = pendingOf(request).find(({ kind }) => isOperator || (isOwner && kind === "notification"));
  return mine === undefined ? (
    <WhoElseMay>You may not decide.</WhoElseMay>
  ) : (
    <ButtonLink to="/hooks/$hookId" params={{ hookId: mine.hookId }} variant="filled">
      Decide
    </ButtonLink>
  );
};

const Actions = ({ request }: { request: AccessRequest }): ReactNode => {
  const queries = useQueryClient();
  const caller = useCaller();
  const isOperator = useHasRole("operator", "admin");
  const [isAsking, setAsking] = useState(false);
  const refresh = (): void => void queries.invalidateQueries({ queryKey: keys.accessRequests });
  const retry = useMutation({ mutationFn: () => retryRequest(request.id), onSettled: refresh });
  if (!isOperator && request.requester.toLowerCase() !== caller) return null;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {request.status === "PENDING" && <Button onClick={() => setAsking(true)}>Withdraw …</Button>}
        {request.status === "FAILED" && (
          <Button variant="filled" loading={retry.isPending} onClick={() => retry.mutate()}>
            Try again
          </Button>
        )}
      </Group>
      {retry.error !== null && <ErrorView error={retry.error} what="try it again" />}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Withdraw the request"
        verb="Withdraw"
        onConfirm={async () => {
          await withdrawRequest(request.id).finally(refresh);
        }}
      >
        <Text size="sm">Nobody can decide about it any more, and access is not changed.</Text>
      </ConfirmDialog>
    </Stack>
  );
};

const Decisions = ({ request: { hooks } }: { request: AccessRequest }): ReactNode => (
  <Section title="Decisions">
    {hooks.length === 0 ? (
      <Text size="sm">None was needed.</Text>
    ) : (
      <Table.ScrollContainer minWidth={320}>
        <Table aria-label="Decisions">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Decision</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>By</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {hooks.map((hook) => (
              <Table.Tr key={hook.hookId}>
                <Table.Td>
                  <PageLink to="/hooks/$hookId" params={{ hookId: hook.hookId }} inherit>
                    {hook.hookName}
                  </PageLink>
                  {hook.reason !== null && (
                    <Text size="xs" c="dimmed">
                      {hook.reason}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <StatusBadge status={hook.status === "OK" ? "APPROVED" : hook.status}>
                    {statusWords[hook.status]}
                  </StatusBadge>
                </Table.Td>
                <Table.Td>
                  {hook.endedBy === null ? <TimeLeft until={hook.expiresAt} /> : <Person of={hook.endedBy} />}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    )}
  </Section>
);

const History = ({ request: { history } }: { request: AccessRequest }): ReactNode => (
  <Section title="History">
    <Timeline active={history.length} bulletSize={12} lineWidth={2} color="gray">
      {history.map(({ at, status, by, message }) => (
        <Timeline.Item
          key={`${at} ${status}`}
          title={
            <Text size="sm" fw={550} component="span">
              {wordsOf(status)}
            </Text>
          }
        >
          <Text size="xs" c="dimmed">
            <Person of={by} />, <TimeAgo at={at} />
            {message !== null && `: ${message}`}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  </Section>
);
