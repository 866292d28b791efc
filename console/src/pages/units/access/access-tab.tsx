import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { BuilderComponents } from "plinth-client";
import type { ReactNode } from "react";
import { grantsQuery, type Grant } from "../../../api/grants.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { shortId, shortReference } from "../names.ts";
import type { Unit } from "../unit/queries.ts";
import { useHere } from "../unit/use-unit.ts";
import { deadlineQuery, openRequestsQuery } from "./queries.ts";
import { RequestAccess } from "./request-access.tsx";

type Request = BuilderComponents["schemas"]["AccessRequestSummary"];

const route = getRouteApi("/units/$unitId");
const shownRequests = 5;

export const AccessTab = ({ unit }: { unit: Unit }): ReactNode => {
  const id = unit.deploymentUnitId;
  const { environment } = useHere(unit);
  const { ask } = route.useSearch();
  const navigate = route.useNavigate();
  const setAsk = (value: string | undefined): void =>
    void navigate({
      search: (previous) => ({ ...previous, ask: value }),
      resetScroll: false,
    });
  return (
    <Stack gap="lg">
      <section>
        <Group justify="space-between" mb="xs">
          <Title order={2}>Who has access in {environment}</Title>
          <Button leftSection={<Icon name="key" size={14} />} onClick={() => setAsk("1")}>
            Request access
          </Button>
        </Group>
        <Granted id={id} environment={environment} />
      </section>
      <OpenRequests id={id} environment={environment} />
      <RequestAccess unit={unit} opened={ask !== undefined} onClose={() => setAsk(undefined)} />
    </Stack>
  );
};

const Granted = ({ id, environment }: { id: string; environment: string }): ReactNode => {
  const query = useInfiniteQuery(grantsQuery(id, environment));
  const next = useNextPage(query);
  return (
    <Loaded query={query} what="read who has access">
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data);
        const isOwn = pages[0]?.meta.visible === "OWN";
        return (
          <>
            {isOwn && (
              <Text size="sm" c="dimmed" mb="xs">
                Yours and that of your groups. Operators and the owners of the unit see everybody’s.
              </Text>
            )}
            {rows.length === 0 ? (
              <EmptyView
                title={isOwn ? "You have no access here" : "Nobody was given access here"}
                icon="key"
              />
            ) : (
              <VirtualTable
                label="Access"
                columns={columns}
                rows={rows}
                rowKey={({ outputPortUrn, identity }) => `${outputPortUrn} ${identity}`}
                next={next}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
};

const OpenRequests = ({ id, environment }: { id: string; environment: string }): ReactNode => {
  const requests = useQuery(openRequestsQuery(id, environment)).data ?? [];
  if (requests.length === 0) return null;
  return (
    <section>
      <Title order={2} mb="xs">
        Requests
      </Title>
      <Stack gap="xs">
        {requests.slice(0, shownRequests).map((request) => (
          <OpenRequest key={request.id} request={request} />
        ))}
      </Stack>
    </section>
  );
};

const OpenRequest = ({ request }: { request: Request }): ReactNode => {
  const { id: requestId, status, identities, outputPorts, waiting, owners, message } = request;
  const until = useQuery(deadlineQuery(requestId)).data;
  const ports = outputPorts.map(({ name, urn }) => name ?? shortId(urn));
  const what = `Access of ${identities.map(shortReference).join(", ")} to ${ports.join(", ")}`;
  return (
    <WaitingReason
      reason={status === "FAILED" ? `${what} failed: ${message ?? ""}` : `${what}: ${waiting?.reason ?? ""}`}
      since={waiting?.since ?? null}
      who={status === "PENDING" ? [...owners, "operators"] : []}
      until={until ?? null}
    >
      <PageLink to="/access/$requestId" params={{ requestId }} size="sm">
        See the request
      </PageLink>
    </WaitingReason>
  );
};

const columns: readonly Column<Grant>[] = [
  {
    key: "identity",
    header: "Who",
    width: "minmax(0, 1.4fr)",
    cell: ({ identity }) => <span title={identity}>{shortReference(identity)}</span>,
  },
  {
    key: "port",
    header: "Output port",
    width: "minmax(0, 1.4fr)",
    cell: ({ outputPortUrn, outputPortName }) => (
      <span title={outputPortUrn}>{outputPortName ?? shortId(outputPortUrn)}</span>
    ),
  },
  {
    key: "since",
    header: "Since",
    width: "minmax(0, 1fr)",
    cell: ({ grantedAt }) => <TimeAgo at={grantedAt} />,
  },
  {
    key: "request",
    header: "By",
    width: "minmax(0, 1.4fr)",
    cell: ({ request }) =>
      request === null ? (
        "–"
      ) : request.accessRequestId === null ? (
        <PageLink to="/plans/$planId" params={{ planId: request.executionPlanId }}>
          a request of {shortReference(request.requestedBy)}
        </PageLink>
      ) : (
        <PageLink to="/access/$requestId" params={{ requestId: request.accessRequestId }}>
          a request of {shortReference(request.requestedBy)}
        </PageLink>
      ),
  },
];
