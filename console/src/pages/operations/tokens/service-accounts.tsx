import { Button, Group, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { ApiError } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { ConfirmDialog } from "../../../parts/page/confirm-dialog.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { operatorsWho } from "../words.ts";
import { AccountDialog } from "./account-dialog.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { serviceAccountsQuery, type ServiceAccount } from "./queries.ts";

export const ServiceAccounts = (): ReactNode => {
  const isAdmin = useHasRole("admin");
  return (
    <Loaded query={useQuery(serviceAccountsQuery)} what="list the service accounts" who={operatorsWho}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyView title="There is no service account" icon="user">
            {isAdmin
              ? "A program that acts for nobody in particular has one."
              : "Administrators make them, for programs that act for nobody in particular."}
          </EmptyView>
        ) : (
          <>
            {!isAdmin && (
              <Text size="sm" c="dimmed" mb="sm">
                Administrators change them and make their tokens.
              </Text>
            )}
            <VirtualTable
              label="Service accounts"
              columns={isAdmin ? [...columns, actions] : columns}
              rows={data}
              rowKey={({ name }) => name}
            />
          </>
        )
      }
    </Loaded>
  );
};

const columns: readonly Column<ServiceAccount>[] = [
  {
    key: "name",
    header: "Name",
    width: "minmax(0, 1.2fr)",
    cell: ({ name, ref }) => (
      <PageLink to="/tokens" search={{ tab: "all", owner: ref }} fw={550} title={`Tokens of ${ref}`}>
        {name}
      </PageLink>
    ),
  },
  { key: "roles", header: "Roles", width: "minmax(0, 1fr)", cell: ({ roles }) => roles.join(", ") },
  {
    key: "for",
    header: "For",
    width: "minmax(0, 2fr)",
    wrap: true,
    cell: ({ description }) => description ?? "–",
  },
  { key: "tokens", header: "Tokens", width: "4rem", align: "end", cell: ({ activeTokens }) => activeTokens },
  {
    key: "changed",
    header: "Changed",
    width: "minmax(0, 1.3fr)",
    cell: ({ updatedAt, updatedBy }) => (
      <span title={updatedBy}>
        <TimeAgo at={updatedAt} /> by {updatedBy}
      </span>
    ),
  },
];

const actions: Column<ServiceAccount> = {
  key: "actions",
  header: "Change",
  width: "13.5rem",
  cell: (account) => <Actions account={account} />,
};

const Actions = ({ account }: { account: ServiceAccount }): ReactNode => {
  const [open, setOpen] = useState<"token" | "change" | "remove" | null>(null);
  const close = (): void => setOpen(null);
  const queryClient = useQueryClient();
  const { name, roles, activeTokens } = account;
  const remove = async (): Promise<void> => {
    const { response, error } = await api.auth.DELETE("/api/auth/v1/service-accounts/{name}", {
      params: { path: { name } },
    });
    if (!response.ok) throw new ApiError(response, error);
    await queryClient.invalidateQueries({ queryKey: keys.serviceAccounts });
    await queryClient.invalidateQueries({ queryKey: keys.tokens });
  };
  return (
    <>
      <Group gap={4}>
        <Button size="compact-xs" aria-label={`New token of ${name}`} onClick={() => setOpen("token")}>
          New token
        </Button>
        <Button size="compact-xs" aria-label={`Change ${name}`} onClick={() => setOpen("change")}>
          Change
        </Button>
        <Button size="compact-xs" aria-label={`Remove ${name}`} onClick={() => setOpen("remove")}>
          Remove
        </Button>
      </Group>
      {open === "token" && <NewTokenDialog roles={roles} service={name} onClose={close} />}
      {open === "change" && <AccountDialog account={account} onClose={close} />}
      <ConfirmDialog
        opened={open === "remove"}
        onClose={close}
        title={`Remove ${name}?`}
        verb="Remove"
        typed={name}
        isDangerous
        onConfirm={remove}
      >
        <Text size="sm">
          {activeTokens === 0
            ? "It has no tokens."
            : `Its ${activeTokens === 1 ? "token is" : `${activeTokens} tokens are`} revoked, and whatever uses them is refused within three seconds.`}
        </Text>
      </ConfirmDialog>
    </>
  );
};
