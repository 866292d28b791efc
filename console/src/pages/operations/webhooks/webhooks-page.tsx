import { Button, Code, Group, Select, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import type { Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge, statusText } from "../../../parts/values/status.tsx";
import { shortened } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { Choices } from "../parts/choices.tsx";
import { EndlessList } from "../parts/endless-list.tsx";
import { deliveryStatuses, operatorsWho } from "../words.ts";
import { deliveriesQuery, webhooksQuery, type Delivery, type Webhook } from "./queries.ts";
import { ReplayButton } from "./replay-button.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";

const route = getRouteApi("/webhooks");

export const WebhooksPage = (): ReactNode => {
  const { webhook } = route.useSearch();
  const [isReplaying, setReplaying] = useState(false);
  const mayReplay = useHasRole("operator", "admin");
  const query = useQuery(webhooksQuery);
  const names = query.data?.data.map(({ name }) => name) ?? [];
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Events that are sent to other systems, whether they arrived, and why not."
        actions={
          mayReplay && names.length > 0 ? (
            <Button onClick={() => setReplaying(true)}>Send a period again</Button>
          ) : undefined
        }
      />
      <Loaded query={query} what="list the webhooks" who={operatorsWho}>
        {({ data }) =>
          data.length === 0 && webhook === undefined ? (
            <EmptyView title="No webhook is configured" icon="webhook">
              The settings name receivers in <Code>coordinator.webhooks</Code>.
            </EmptyView>
          ) : (
            <Deliveries webhooks={data} />
          )
        }
      </Loaded>
      {isReplaying && (
        <ReplayDialog names={names} webhook={webhook ?? names[0] ?? ""} onClose={() => setReplaying(false)} />
      )}
    </>
  );
};

const Deliveries = ({ webhooks }: { webhooks: Webhook[] }): ReactNode => {
  const { webhook, status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(deliveriesQuery({ webhook, status }));
  const chosen = webhooks.find(({ name }) => name === webhook);
  return (
    <>
      <Choices
        label="Configured webhooks"
        choices={webhooks.map((each) => ({ ...each, about: each.host, isStopped: each.stoppedAt !== null }))}
        chosen={webhook}
        onChoose={(name) => void navigate({ search: (previous) => ({ ...previous, webhook: name }) })}
      />
      {chosen !== undefined && <Scope webhook={chosen} />}
      <Group mb="sm" role="search">
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          w="11rem"
          data={deliveryStatuses.map((value) => ({ value, label: statusText(value) }))}
          value={status ?? null}
          onChange={(value) =>
            void navigate({ search: (previous) => ({ ...previous, status: value ?? undefined }) })
          }
        />
      </Group>
      <EndlessList
        label="Deliveries"
        query={query}
        what="list the deliveries"
        who={operatorsWho}
        columns={columns}
        rowKey={({ id }) => `${id}`}
        empty={
          <EmptyView
            title={
              webhook === undefined && status === undefined ? "Nothing was sent yet" : "No delivery fits"
            }
            icon="webhook"
          />
        }
      />
    </>
  );
};

const Scope = ({ webhook: { events, environments, stoppedAt } }: { webhook: Webhook }): ReactNode => (
  <Text size="sm" c="dimmed" mb="sm" component="div">
    Gets {events === null ? "every type of event" : events.map(shortType).join(", ")} of{" "}
    {environments === null ? "every environment" : environments.join(", ")}.
    {stoppedAt !== null && (
      <Text c="bad" size="sm" component="div">
        Its receiver answered 410 <TimeAgo at={stoppedAt} />: nothing is sent to it until something is sent
        again by hand, or its address changes.
      </Text>
    )}
  </Text>
);

const shortType = (type: string): string => type.replace(/^plinth\./, "");

const longestId = 30;

/** `<environment>/<unit>`. */
const Subject = ({ subject, environment }: Delivery): ReactNode => {
  const prefix = `${environment}/`;
  if (!subject.startsWith(prefix)) return <span title={subject}>{subject}</span>;
  const unitId = subject.slice(prefix.length);
  return (
    <PageLink to="/units/$unitId" params={{ unitId }} search={{ env: environment }} title={subject}>
      {shortened(unitId, longestId)}
    </PageLink>
  );
};

const reasonOf = ({ waiting, lastError, lastStatus, attempts }: Delivery): string => {
  const reason = waiting ?? lastError ?? (lastStatus === null ? "–" : `Answered ${lastStatus}`);
  return waiting === null && lastError === null && attempts > 1 ? `${reason} at attempt ${attempts}` : reason;
};

const columns: readonly Column<Delivery>[] = [
  {
    key: "type",
    header: "Event",
    width: "minmax(0, 1.8fr)",
    cell: ({ type, isReplay }) => (
      <span title={type}>
        {shortType(type)}
        {isReplay && (
          <Text span size="xs" c="dimmed">
            {" "}
            again
          </Text>
        )}
      </span>
    ),
  },
  { key: "subject", header: "Of", width: "minmax(0, 2.2fr)", cell: (row) => <Subject {...row} /> },
  { key: "webhook", header: "Webhook", width: "minmax(0, 0.9fr)", cell: ({ webhook }) => webhook },
  {
    key: "status",
    header: "Status",
    width: "8rem",
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { key: "why", header: "Why", width: "minmax(0, 1.7fr)", wrap: true, cell: reasonOf },
  { key: "at", header: "Made", width: "6.5rem", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  { key: "replay", header: "Again", width: "6.5rem", cell: (row) => <ReplayButton delivery={row} /> },
];
