import { Badge, Group, Select, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useHasRole, useSession } from "../../../api/session.ts";
import { SearchField } from "../../../parts/page/search-field.tsx";
import { EmptyView, ForbiddenView } from "../../../parts/states/views.tsx";
import type { Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo, useNow } from "../../../parts/values/times.tsx";
import { EndlessList } from "../parts/endless-list.tsx";
import { operatorsWho } from "../words.ts";
import { tokensQuery, type Token } from "./queries.ts";
import { RevokeButton } from "./revoke-button.tsx";

const route = getRouteApi("/tokens");

/** Also sessions: of browsers, of command lines, and those that JWTs were got for. */
export const OwnTokens = (): ReactNode => {
  const { status } = route.useSearch();
  return (
    <>
      <Filters>
        <StatusFilter />
      </Filters>
      <EndlessList
        label="My tokens and sessions"
        query={useInfiniteQuery(tokensQuery({ status }))}
        what="list your tokens"
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyView title={status === "ended" ? "None has ended lately" : "You have no tokens"} icon="key">
            {status === undefined && "A program acts for you with a token that you make for it."}
          </EmptyView>
        }
      />
    </>
  );
};

export const OthersTokens = (): ReactNode => {
  const { status, owner } = route.useSearch();
  const mayRead = useHasRole("operator", "admin");
  const query = useInfiniteQuery({ ...tokensQuery({ status, owner: owner ?? "all" }), enabled: mayRead });
  if (!mayRead) return <ForbiddenView what="list the tokens of others" who={operatorsWho} />;
  return (
    <>
      <Filters>
        <OwnerFilter />
        <StatusFilter />
      </Filters>
      <EndlessList
        label="Tokens of others"
        query={query}
        what="list the tokens"
        who={operatorsWho}
        columns={[ownerColumn, ...columns]}
        rowKey={({ id }) => id}
        empty={<EmptyView title="No token fits" icon="key" />}
      />
    </>
  );
};

const Filters = ({ children }: { children: ReactNode }): ReactNode => (
  <Group gap="xs" mb="sm" role="search">
    {children}
  </Group>
);

const OwnerFilter = (): ReactNode => {
  const { owner } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <SearchField
      aria-label="Owner"
      placeholder="user:default/ada"
      w="16rem"
      value={owner}
      onSearch={(text) =>
        void navigate({ search: (previous) => ({ ...previous, owner: text }), replace: true })
      }
    />
  );
};

const StatusFilter = (): ReactNode => {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Select
      aria-label="Status"
      w="11rem"
      data={[
        { value: "active", label: "Active" },
        { value: "ended", label: "Ended" },
        { value: "all", label: "Active and ended" },
      ]}
      value={status ?? "active"}
      onChange={(value) =>
        void navigate({
          search: (previous) => ({
            ...previous,
            status: value === "ended" || value === "all" ? value : undefined,
          }),
        })
      }
    />
  );
};

const kinds: Record<Token["kind"], string> = {
  personal: "token",
  service: "service token",
  session: "session",
};

const Name = ({ id, name, kind, ending }: Token): ReactNode => {
  const isThis = useSession()?.session?.id === id;
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" fw={550} truncate title={name}>
        {name}
      </Text>
      <Badge color="gray" size="sm" style={{ flexShrink: 0 }}>
        {isThis ? "this browser" : kinds[kind]}
      </Badge>
      {ending !== null && (
        <Text size="xs" c="dimmed" ff="monospace" title="Its last letters">
          …{ending}
        </Text>
      )}
    </Group>
  );
};

const soonMs = 7 * 24 * 3_600_000;

/** Whoever has to make the next one in time sees it. */
const Ends = ({ expiresAt, revokedAt, status }: Token): ReactNode => {
  const now = useNow();
  const isSoon = status === "active" && Date.parse(expiresAt) - now < soonMs;
  return (
    <Text size="sm" span {...(isSoon && { c: "warn", fw: 600 })}>
      <TimeAgo at={revokedAt ?? expiresAt} />
    </Text>
  );
};

const ownerColumn: Column<Token> = {
  key: "owner",
  header: "Owner",
  width: "minmax(0, 1.4fr)",
  cell: ({ owner }) => <span title={owner}>{owner}</span>,
};

const columns: readonly Column<Token>[] = [
  { key: "name", header: "Name", width: "minmax(0, 2.4fr)", cell: (row) => <Name {...row} /> },
  {
    key: "status",
    header: "Status",
    width: "6.5rem",
    cell: ({ status }) => <StatusBadge status={status} {...(status === "revoked" && { tone: "gray" })} />,
  },
  { key: "roles", header: "Roles", width: "minmax(0, 1fr)", cell: ({ roles }) => roles.join(", ") },
  {
    key: "scopes",
    header: "Scopes",
    width: "minmax(0, 1.2fr)",
    cell: ({ scopes }) => <span title={scopes.join(", ")}>{scopes.join(", ")}</span>,
  },
  {
    key: "used",
    header: "Last used",
    width: "6.5rem",
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : <TimeAgo at={lastUsedAt} />),
  },
  { key: "ends", header: "Ends", width: "6.5rem", cell: (row) => <Ends {...row} /> },
  { key: "revoke", header: "Revoke", width: "5.5rem", cell: (row) => <RevokeButton token={row} /> },
];
