import { Button, Code, Group, Select } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import type { Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge, statusText } from "../../../parts/values/status.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { Choices } from "../parts/choices.tsx";
import { EndlessList } from "../parts/endless-list.tsx";
import { noticeStatuses, operatorsWho } from "../words.ts";
import { NoticeDetails } from "./notice-details.tsx";
import { aboutOf, channelsQuery, noticesQuery, recipientOf, type Notice } from "./queries.ts";
import { SampleDialog } from "./sample-dialog.tsx";

const route = getRouteApi("/notices");

export const NoticesPage = (): ReactNode => {
  const [isSampling, setSampling] = useState(false);
  const channels = useQuery(channelsQuery);
  const names = channels.data?.data.map(({ name }) => name) ?? [];
  return (
    <>
      <PageHeader
        title="Notices"
        description="Mails and chat messages about what waits, and whether they arrived."
        actions={
          names.length > 0 ? <Button onClick={() => setSampling(true)}>Send a sample</Button> : undefined
        }
      />
      <Loaded query={channels} what="list the notices" who={operatorsWho}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyView title="No notices are sent" icon="bell">
              The settings name neither a mail server (<Code>notices.mail</Code>) nor a chat (
              <Code>notices.chats</Code>).
            </EmptyView>
          ) : (
            <Messages />
          )
        }
      </Loaded>
      {isSampling && <SampleDialog channels={names} onClose={() => setSampling(false)} />}
    </>
  );
};

const Messages = (): ReactNode => {
  const { channel, status, notice } = route.useSearch();
  const navigate = route.useNavigate();
  const channels = useQuery(channelsQuery);
  const query = useInfiniteQuery(noticesQuery({ channel, status }));
  return (
    <>
      <Choices
        label="Channels"
        choices={channels.data?.data ?? []}
        chosen={channel}
        onChoose={(name) => void navigate({ search: (previous) => ({ ...previous, channel: name }) })}
      />
      <Group mb="sm" role="search">
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          w="11rem"
          data={noticeStatuses.map((value) => ({ value, label: statusText(value) }))}
          value={status ?? null}
          onChange={(value) =>
            void navigate({ search: (previous) => ({ ...previous, status: value ?? undefined }) })
          }
        />
      </Group>
      <EndlessList
        label="Messages"
        query={query}
        what="list the notices"
        who={operatorsWho}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyView
            title={channel === undefined && status === undefined ? "Nothing was sent yet" : "No message fits"}
            icon="bell"
          />
        }
      />
      <NoticeDetails id={notice} />
    </>
  );
};

const columns: readonly Column<Notice>[] = [
  {
    key: "about",
    header: "About",
    width: "minmax(0, 1.7fr)",
    cell: (row) => (
      <PageLink
        from="/notices"
        to="/notices"
        search={(previous) => ({ ...previous, notice: row.id })}
        fw={550}
      >
        {aboutOf(row)}
      </PageLink>
    ),
  },
  { key: "to", header: "To", width: "minmax(0, 1.6fr)", cell: recipientOf },
  {
    key: "status",
    header: "Status",
    width: "8rem",
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: "why",
    header: "Why",
    width: "minmax(0, 2.4fr)",
    wrap: true,
    cell: ({ waiting, lastError }) => waiting ?? lastError ?? "–",
  },
  { key: "at", header: "Made", width: "6.5rem", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
];
